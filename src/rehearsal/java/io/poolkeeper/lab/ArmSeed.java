package io.poolkeeper.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.BalancerBody;
import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.lab.judge.ArmHttp;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.model.LoadBalancerId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Creates the lab's load balancers in ARM like the cloud provider: a pool and a rule for each
 * family of each Service. Some pools are wrong at the start, so that the controller has to repair
 * them.
 */
record ArmSeed(ArmHttp arm, Scenario scenario, World world) {
  private static final String BEHAVIOR = "/_behavior";

  private static String group(LoadBalancerId id) {
    return "/subscriptions/%s/resourceGroups/%s".formatted(id.subscription(), id.resourceGroup());
  }

  static String vnet() {
    return group(Blueprint.id("any")) + "/providers/Microsoft.Network/virtualNetworks/lab-vnet";
  }

  void seed() throws InterruptedException {
    // The simulator's own switch: one write for each load balancer, not one for each pool.
    arm.put(BEHAVIOR, Map.of("parentAddresses", "replaced"));
    for (String loadBalancer : Blueprint.LOAD_BALANCERS) {
      put(loadBalancer(loadBalancer));
    }
    if (scenario.bound()) {
      put(UnmanagedBalancer.loadBalancer(world.mark()));
      put(elsewhere(Judge.rulePrefix(world.create(Blueprint.STRAY))));
    }
    arm.put(BEHAVIOR, Map.of("parentAddresses", "ignored"));
  }

  private void put(BalancerBody body) throws InterruptedException {
    arm.put(group(body.id()), Map.of("location", "eastus"));
    arm.put(body.id().path(), body.json());
  }

  private BalancerBody loadBalancer(String name) {
    BalancerBody body = BalancerBody.of(Blueprint.id(name));
    for (Spec spec : world.services) {
      if (spec.loadBalancer().equals(name)) {
        for (boolean ipv6 : world.isDualStack(spec) ? List.of(false, true) : List.of(false)) {
          String suffix = ipv6 ? "-IPv6" : "";
          String prefix = Judge.rulePrefix(world.uid(spec));
          Map<String, String> members = world.members(spec, ipv6);
          scenario.corrupt(spec, members);
          body.frontend(prefix + suffix);
          addPool(body, spec.pool(ipv6), members);
          body.rule(prefix + "-TCP-80" + suffix, prefix + suffix, spec.pool(ipv6), 80);
        }
      }
    }
    if (name.equals(Blueprint.CLUSTER)) {
      addPoolsOfAllNodes(body);
    }
    return body;
  }

  private static BalancerBody elsewhere(String prefix) {
    BalancerBody body = BalancerBody.of(Blueprint.id(Blueprint.ELSEWHERE));
    String pool = Blueprint.STRAY.pool(false);
    body.frontend(prefix);
    addPool(body, pool, Map.of());
    body.rule(prefix + "-TCP-80", prefix, pool, 80);
    return body;
  }

  /**
   * What no local Service owns: the pool of the Services with {@code externalTrafficPolicy:
   * Cluster}, and the one through which nodes reach others.
   */
  private static void addPoolsOfAllNodes(BalancerBody body) {
    Map<String, String> nodes = new TreeMap<>();
    for (int node = 0; node < Blueprint.NODES; node++) {
      nodes.put(Blueprint.ipv4(node), Blueprint.nodeName(node));
    }
    String frontend = "a" + "f".repeat(31);
    body.frontend(frontend);
    body.frontend(Blueprint.OUTBOUND_POOL);
    addPool(body, Blueprint.CLUSTER_POOL, nodes);
    addPool(body, Blueprint.OUTBOUND_POOL, nodes);
    body.rule(frontend + "-TCP-443", frontend, Blueprint.CLUSTER_POOL, 443);
    ObjectNode rule = body.add("outboundRules", Blueprint.OUTBOUND_POOL).put("protocol", "All");
    ArrayNode from = rule.putArray("frontendIPConfigurations");
    body.refer(from.addObject(), "frontendIPConfigurations", Blueprint.OUTBOUND_POOL);
    body.refer(
        rule.putObject("backendAddressPool"), "backendAddressPools", Blueprint.OUTBOUND_POOL);
  }

  static void addPool(BalancerBody body, String name, Map<String, String> members) {
    ObjectNode pool = body.add("backendAddressPools", name);
    pool.putObject("virtualNetwork").put("id", vnet());
    ArrayNode entries = pool.putArray("loadBalancerBackendAddresses");
    members.forEach((address, node) -> BalancerBody.addEntry(entries, node, address));
  }
}
