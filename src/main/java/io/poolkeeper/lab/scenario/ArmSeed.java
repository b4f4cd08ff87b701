package io.poolkeeper.lab.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Creates the lab's load balancers in ARM like the cloud provider: a pool and a rule for each
 * family of each Service. Some pools are wrong at the start, so that the controller has to repair
 * them.
 */
public final class ArmSeed {
  private static final String API = "?api-version=2025-05-01";
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

  /** The path that lists the load balancers. */
  public static String loadBalancers() {
    return group() + "/providers/Microsoft.Network/loadBalancers";
  }

  /** The ARM URL of each load balancer. */
  public static List<URI> each(URI endpoint) {
    return Blueprint.LOAD_BALANCERS.stream()
        .map(name -> URI.create(endpoint + loadBalancers() + "/" + name + API))
        .toList();
  }

  /** The resource id of the nodes' network. */
  public static String vnet() {
    return group() + "/providers/Microsoft.Network/virtualNetworks/lab-vnet";
  }

  /** Creates everything and waits for ARM's operations. */
  public void seed() throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      send(http, "PUT", group(), json.createObjectNode().put("location", "eastus"));
      for (String loadBalancer : Blueprint.LOAD_BALANCERS) {
        send(http, "PUT", loadBalancers() + "/" + loadBalancer, loadBalancer(loadBalancer));
      }
    }
  }

  private void send(HttpClient http, String method, String path, JsonNode body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(endpoint + path + API))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body.toString()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(
          "%s %s: %d %s".formatted(method, path, answer.statusCode(), answer.body()));
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

  private ObjectNode loadBalancer(String name) {
    ObjectNode root = json.createObjectNode();
    root.put("location", "eastus");
    root.putObject("sku").put("name", "Standard").put("tier", "Regional");
    ObjectNode properties = root.putObject("properties");
    ArrayNode frontends = properties.putArray("frontendIPConfigurations");
    ArrayNode pools = properties.putArray("backendAddressPools");
    ArrayNode rules = properties.putArray("loadBalancingRules");
    String id = loadBalancers() + "/" + name;
    for (Spec spec : world.services()) {
      if (spec.loadBalancer().equals(name)) {
        for (boolean ipv6 : world.isDualStack(spec) ? List.of(false, true) : List.of(false)) {
          add(spec, ipv6, id, frontends, pools, rules);
        }
      }
    }
    return root;
  }

  private void add(
      Spec spec, boolean ipv6, String id, ArrayNode frontends, ArrayNode pools, ArrayNode rules) {
    String suffix = world.isDualStack(spec) && ipv6 ? "-IPv6" : "";
    String base = "a" + world.uid(spec).replace("-", "");
    String prefix = base.substring(0, Math.min(32, base.length())).toLowerCase(Locale.ROOT);
    ObjectNode frontend = frontends.addObject().put("name", prefix + suffix);
    frontend.putObject("properties").put("privateIPAllocationMethod", "Dynamic");
    ObjectNode pool = pools.addObject().put("name", spec.pool(ipv6));
    ObjectNode content = pool.putObject("properties");
    content.putObject("virtualNetwork").put("id", vnet());
    ArrayNode entries = content.putArray("loadBalancerBackendAddresses");
    Map<String, String> members = world.members(spec, ipv6);
    scenario.corrupt(spec, members);
    members.forEach(
        (address, node) ->
            entries
                .addObject()
                .put("name", node)
                .putObject("properties")
                .put("ipAddress", address));
    ObjectNode rule = rules.addObject().put("name", prefix + "-TCP-80" + suffix);
    ObjectNode target = rule.putObject("properties");
    target
        .putObject("frontendIPConfiguration")
        .put("id", id + "/frontendIPConfigurations/" + prefix + suffix);
    target
        .putObject("backendAddressPool")
        .put("id", id + "/backendAddressPools/" + spec.pool(ipv6));
    target.put("protocol", "Tcp").put("frontendPort", 80).put("backendPort", 80);
  }
}
