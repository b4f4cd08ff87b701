package io.poolkeeper.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Local Services on 10 load balancers, as many on each, whose pools are correct from the start.
 *
 * @param nodesOf the nodes of a Service when it has been moved so often
 */
record LargeWorld(
    KubernetesClient client,
    URI arm,
    int services,
    int nodes,
    BiFunction<Integer, Integer, IntStream> nodesOf,
    ObjectMapper json,
    List<String> prefixes) {
  static final int LOAD_BALANCERS = 10;
  private static final String NAMESPACE = "large";
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final String NETWORK = GROUP + "/providers/Microsoft.Network";
  private static final String API = "?api-version=2025-05-01";

  LargeWorld(
      KubernetesClient client,
      URI arm,
      int services,
      int nodes,
      BiFunction<Integer, Integer, IntStream> nodesOf) {
    this(client, arm, services, nodes, nodesOf, new ObjectMapper(), new ArrayList<>());
  }

  String configuration(int httpPort, String rateLimiter) {
    List<String> names = IntStream.range(0, LOAD_BALANCERS).mapToObj(i -> "lb-" + i).toList();
    return """
        poolkeeper {
          mode = write, cluster-name = "lb-0"
          azure {
            subscription-id = s, resource-group = rg, credential = none
            load-balancers = [%s], vnet-id = "%s/virtualNetworks/v", endpoint = "%s"
          }
          turnstile { %s }
          http.port = %d
        }
        """
        .formatted(String.join(", ", names), NETWORK, arm, rateLimiter, httpPort);
  }

  static String pool(int service) {
    return NAMESPACE + "-service-" + service;
  }

  void seed() throws IOException, InterruptedException {
    for (int node = 0; node < nodes; node++) {
      createNode(node);
    }
    for (int service = 0; service < services; service++) {
      String uid = createService(service);
      prefixes.add(("a" + uid.replace("-", "")).substring(0, 32));
      client.resource(slice(service, 0)).create();
    }
    try (HttpClient http = HttpClient.newHttpClient()) {
      put(http, GROUP, json.createObjectNode().put("location", "eastus"));
      // One write for each load balancer instead of one for each pool.
      put(http, "/_behavior", json.createObjectNode().put("parentAddresses", "replaced"));
      for (int number = 0; number < LOAD_BALANCERS; number++) {
        put(http, NETWORK + "/loadBalancers/lb-" + number, loadBalancer(number));
      }
      put(http, "/_behavior", json.createObjectNode().put("parentAddresses", "ignored"));
    }
  }

  /** Moves a Service so often; returns when the API server accepted it. */
  long move(int service, int often) {
    client.resource(slice(service, often)).update();
    return System.nanoTime();
  }

  /** Taints nodes as out of service, all at once, or clears their taints. */
  void taint(List<Integer> which, boolean out) {
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      which.forEach(node -> all.execute(() -> taint(node, out)));
    }
  }

  private void taint(int node, boolean out) {
    List<Taint> taints =
        out
            ? List.of(new Taint("NoExecute", "node.kubernetes.io/out-of-service", null, ""))
            : List.of();
    client.nodes().withName("node-" + node).edit(edited(taints));
  }

  private static UnaryOperator<Node> edited(List<Taint> taints) {
    return node -> new NodeBuilder(node).editOrNewSpec().withTaints(taints).endSpec().build();
  }

  private void createNode(int node) {
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("node-" + node)
                .addToLabels("kubernetes.io/hostname", "node-" + node)
                .endMetadata()
                .withNewStatus()
                .addNewAddress(ip(node), "InternalIP")
                .endStatus()
                .build())
        .create();
  }

  private static String ip(int node) {
    return "10.1.%d.%d".formatted(node / 250, node % 250 + 4);
  }

  private String createService(int service) {
    return client
        .resource(
            new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("service-" + service)
                .endMetadata()
                .withNewSpec()
                .withType("LoadBalancer")
                .withExternalTrafficPolicy("Local")
                .withIpFamilyPolicy("SingleStack")
                .withIpFamilies("IPv4")
                .addNewPort()
                .withProtocol("TCP")
                .withPort(80)
                .endPort()
                .endSpec()
                .build())
        .create()
        .getMetadata()
        .getUid();
  }

  private EndpointSlice slice(int service, int moved) {
    return new EndpointSliceBuilder()
        .withNewMetadata()
        .withNamespace(NAMESPACE)
        .withName("service-" + service + "-0")
        .addToLabels("kubernetes.io/service-name", "service-" + service)
        .endMetadata()
        .withAddressType("IPv4")
        .withEndpoints(nodesOf.apply(service, moved).mapToObj(LargeWorld::endpoint).toList())
        .build();
  }

  private static Endpoint endpoint(int node) {
    return new EndpointBuilder()
        .withAddresses("10.2.%d.%d".formatted(node / 250, node % 250 + 4))
        .withNewConditions()
        .withReady(true)
        .withServing(true)
        .endConditions()
        .withNodeName("node-" + node)
        .build();
  }

  private ObjectNode loadBalancer(int number) {
    ObjectNode root = json.createObjectNode().put("location", "eastus");
    root.putObject("sku").put("name", "Standard").put("tier", "Regional");
    ObjectNode properties = root.putObject("properties");
    ArrayNode frontends = properties.putArray("frontendIPConfigurations");
    ArrayNode pools = properties.putArray("backendAddressPools");
    ArrayNode rules = properties.putArray("loadBalancingRules");
    String id = NETWORK + "/loadBalancers/lb-" + number;
    for (int service = number; service < services; service += LOAD_BALANCERS) {
      String prefix = prefixes.get(service);
      frontends.addObject().put("name", prefix).putObject("properties");
      ObjectNode pool = pools.addObject().put("name", pool(service)).putObject("properties");
      pool.putObject("virtualNetwork").put("id", NETWORK + "/virtualNetworks/v");
      ArrayNode entries = pool.putArray("loadBalancerBackendAddresses");
      nodesOf
          .apply(service, 0)
          .forEach(
              node ->
                  entries
                      .addObject()
                      .put("name", "node-" + node)
                      .putObject("properties")
                      .put("ipAddress", ip(node)));
      ObjectNode rule = rules.addObject().put("name", prefix + "-TCP-80").putObject("properties");
      rule.putObject("frontendIPConfiguration")
          .put("id", id + "/frontendIPConfigurations/" + prefix);
      rule.putObject("backendAddressPool").put("id", id + "/backendAddressPools/" + pool(service));
      rule.put("protocol", "Tcp").put("frontendPort", 80).put("backendPort", 80);
    }
    return root;
  }

  private void put(HttpClient http, String path, JsonNode body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(arm + path + API))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(path + ": " + answer.statusCode() + " " + answer.body());
    }
  }
}
