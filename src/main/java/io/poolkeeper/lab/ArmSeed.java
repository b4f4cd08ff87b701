package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.lab.judge.ArmHttp;
import io.poolkeeper.model.LoadBalancerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Creates the lab's load balancers in ARM like the cloud provider: a pool and a rule for each
 * family of each Service. Some pools are wrong at the start, so that the controller has to repair
 * them.
 */
public final class ArmSeed {
  private static final String BEHAVIOR = "/_behavior";

  private final ArmHttp arm;
  private final Scenario scenario;
  private final World world;

  /** Seeds this ARM; the scenario says which pools are wrong. */
  ArmSeed(ArmHttp arm, Scenario scenario, World world) {
    this.arm = arm;
    this.scenario = scenario;
    this.world = world;
  }

  /** The path of the lab's resource group. */
  public static String group() {
    return "/subscriptions/"
        + Blueprint.SUBSCRIPTION
        + "/resourceGroups/"
        + Blueprint.RESOURCE_GROUP;
  }

  /** A load balancer of the lab. */
  public static LoadBalancerId id(String loadBalancer) {
    return new LoadBalancerId(Blueprint.SUBSCRIPTION, Blueprint.RESOURCE_GROUP, loadBalancer);
  }

  /** The path that lists the load balancers. */
  public static String loadBalancers() {
    return group() + "/providers/Microsoft.Network/loadBalancers";
  }

  /** The path of each load balancer. */
  public static List<String> each() {
    return Blueprint.LOAD_BALANCERS.stream().map(name -> loadBalancers() + "/" + name).toList();
  }

  /** The resource id of the nodes' network. */
  public static String vnet() {
    return group() + "/providers/Microsoft.Network/virtualNetworks/lab-vnet";
  }

  /** Creates everything and waits for ARM's operations. */
  void seed() throws InterruptedException {
    arm.put(group(), Map.of("location", "eastus"));
    // The simulator's own switch: one write for each load balancer, not one for each pool.
    arm.put(BEHAVIOR, Map.of("parentAddresses", "replaced"));
    for (String loadBalancer : Blueprint.LOAD_BALANCERS) {
      arm.put(loadBalancers() + "/" + loadBalancer, loadBalancer(loadBalancer));
    }
    if (scenario.bound()) {
      arm.put(BoundPools.group(), Map.of("location", "eastus"));
      arm.put(BoundPools.path(), BoundPools.loadBalancer(world.mark()));
    }
    arm.put(BEHAVIOR, Map.of("parentAddresses", "ignored"));
  }

  private Map<String, ?> loadBalancer(String name) {
    String id = loadBalancers() + "/" + name;
    List<Map<String, ?>> frontends = new ArrayList<>();
    List<Map<String, ?>> pools = new ArrayList<>();
    List<Map<String, ?>> rules = new ArrayList<>();
    for (Spec spec : world.services) {
      if (spec.loadBalancer().equals(name)) {
        for (boolean ipv6 : world.isDualStack(spec) ? List.of(false, true) : List.of(false)) {
          String suffix = ipv6 ? "-IPv6" : "";
          String frontend = prefix(spec) + suffix;
          frontends.add(named(frontend, Map.of("privateIPAllocationMethod", "Dynamic")));
          pools.add(pool(spec, ipv6));
          rules.add(rule(prefix(spec) + "-TCP-80" + suffix, id, frontend, spec.pool(ipv6), 80));
        }
      }
    }
    List<Map<String, ?>> outbound = new ArrayList<>();
    if (name.equals(Blueprint.CLUSTER)) {
      addPoolsOfAllNodes(id, frontends, pools, rules, outbound);
    }
    return loadBalancer(frontends, pools, rules, outbound);
  }

  static Map<String, ?> loadBalancer(
      List<Map<String, ?>> frontends,
      List<Map<String, ?>> pools,
      List<Map<String, ?>> rules,
      List<Map<String, ?>> outbound) {
    return Map.of(
        "location", "eastus",
        "sku", Map.of("name", "Standard", "tier", "Regional"),
        "properties",
            Map.of(
                "frontendIPConfigurations", frontends,
                "backendAddressPools", pools,
                "loadBalancingRules", rules,
                "outboundRules", outbound));
  }

  /**
   * What no local Service owns: the pool of the Services with {@code externalTrafficPolicy:
   * Cluster}, and the one through which nodes reach others.
   */
  private void addPoolsOfAllNodes(
      String id,
      List<Map<String, ?>> frontends,
      List<Map<String, ?>> pools,
      List<Map<String, ?>> rules,
      List<Map<String, ?>> outbound) {
    Map<String, String> nodes = new TreeMap<>();
    for (int node = 0; node < Blueprint.NODES; node++) {
      nodes.put(Blueprint.ipv4(node), Blueprint.nodeName(node));
    }
    String frontend = "a" + "f".repeat(31);
    for (String one : List.of(frontend, Blueprint.OUTBOUND_POOL)) {
      frontends.add(named(one, Map.of("privateIPAllocationMethod", "Dynamic")));
    }
    pools.add(pool(Blueprint.CLUSTER_POOL, nodes));
    pools.add(pool(Blueprint.OUTBOUND_POOL, nodes));
    rules.add(rule(frontend + "-TCP-443", id, frontend, Blueprint.CLUSTER_POOL, 443));
    outbound.add(
        named(
            Blueprint.OUTBOUND_POOL,
            Map.of(
                "frontendIPConfigurations",
                List.of(Map.of("id", id + "/frontendIPConfigurations/" + Blueprint.OUTBOUND_POOL)),
                "backendAddressPool",
                Map.of("id", id + "/backendAddressPools/" + Blueprint.OUTBOUND_POOL),
                "protocol",
                "All")));
  }

  static Map<String, ?> rule(String name, String id, String frontend, String pool, int port) {
    return named(
        name,
        Map.of(
            "frontendIPConfiguration",
            Map.of("id", id + "/frontendIPConfigurations/" + frontend),
            "backendAddressPool",
            Map.of("id", id + "/backendAddressPools/" + pool),
            "protocol",
            "Tcp",
            "frontendPort",
            port,
            "backendPort",
            port));
  }

  private Map<String, ?> pool(Spec spec, boolean ipv6) {
    Map<String, String> members = world.members(spec, ipv6);
    scenario.corrupt(spec, members);
    return pool(spec.pool(ipv6), members);
  }

  static Map<String, ?> pool(String name, Map<String, String> members) {
    List<Map<String, ?>> entries = new ArrayList<>();
    members.forEach((address, node) -> entries.add(named(node, Map.of("ipAddress", address))));
    return named(
        name,
        Map.of("virtualNetwork", Map.of("id", vnet()), "loadBalancerBackendAddresses", entries));
  }

  static Map<String, ?> named(String name, Map<String, ?> properties) {
    return Map.of("name", name, "properties", properties);
  }

  /** What the names of a Service's frontends and rules begin with. */
  private String prefix(Spec spec) {
    String base = "a" + world.uid(spec).replace("-", "");
    return base.substring(0, Math.min(32, base.length())).toLowerCase(Locale.ROOT);
  }
}
