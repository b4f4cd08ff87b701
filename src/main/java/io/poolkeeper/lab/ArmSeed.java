package io.poolkeeper.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.model.LoadBalancerId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
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
  private static final String API = "?api-version=2025-05-01";
  private static final String BEHAVIOR = "/_behavior";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final URI endpoint;
  private final Scenario scenario;
  private final World world;
  private final ObjectMapper json = new ObjectMapper();

  /** Seeds the ARM at this endpoint; the scenario says which pools are wrong. */
  public ArmSeed(URI endpoint, Scenario scenario, World world) {
    this.endpoint = endpoint;
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

  /** The ARM URL of each load balancer. */
  public static List<URI> each(URI endpoint) {
    return Blueprint.LOAD_BALANCERS.stream()
        .map(name -> url(endpoint, loadBalancers() + "/" + name))
        .toList();
  }

  static URI url(URI endpoint, String path) {
    return URI.create(endpoint + path + API);
  }

  /** The resource id of the nodes' network. */
  public static String vnet() {
    return group() + "/providers/Microsoft.Network/virtualNetworks/lab-vnet";
  }

  /** Creates everything and waits for ARM's operations. */
  public void seed() throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      put(http, group(), Map.of("location", "eastus"));
      // The simulator's own switch: one write for each load balancer, not one for each pool.
      put(http, BEHAVIOR, Map.of("parentAddresses", "replaced"));
      for (String loadBalancer : Blueprint.LOAD_BALANCERS) {
        put(http, loadBalancers() + "/" + loadBalancer, loadBalancer(loadBalancer));
      }
      if (scenario.bound()) {
        put(http, BoundPools.group(), Map.of("location", "eastus"));
        put(http, BoundPools.path(), BoundPools.loadBalancer(world.mark()));
      }
      put(http, BEHAVIOR, Map.of("parentAddresses", "ignored"));
    }
  }

  private void put(HttpClient http, String path, Map<String, ?> body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(url(endpoint, path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body)))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException("PUT %s: %d %s".formatted(path, answer.statusCode(), answer.body()));
    }
    awaitEnd(http, answer.headers().firstValue("Azure-AsyncOperation").orElse(""));
  }

  /** Polls without a pause, as there are few operations. */
  private void awaitEnd(HttpClient http, String operation)
      throws IOException, InterruptedException {
    boolean running = !operation.isEmpty();
    while (running) {
      HttpRequest poll = HttpRequest.newBuilder(URI.create(operation)).timeout(TIMEOUT).build();
      String body = http.send(poll, HttpResponse.BodyHandlers.ofString()).body();
      running = json.readTree(body).path("status").asText().equals("InProgress");
    }
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
