package io.poolkeeper.armsim.swagger;

import static io.poolkeeper.armsim.swagger.Wire.API;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The exchanges that Azure's swagger gives as examples: after what they show was written, their
 * requests get answers in which no member of theirs is missing or of another type.
 */
class ExamplesTest {
  private static final String NETWORK = "/providers/Microsoft.Network";

  private final Tour tour = new Tour(new ModelWire());

  @ParameterizedTest
  @CsvSource({
    "LBBackendAddressPoolListWithBackendAddressesPoolType, /backendAddressPools",
    "LBBackendAddressPoolWithBackendAddressesGet, /backendAddressPools/backend",
    "LoadBalancerBackendAddressPoolGet, /backendAddressPools/backend",
    "LoadBalancerBackendAddressPoolList, /backendAddressPools"
  })
  void poolsAreShownAsInTheExample(String example, String path) throws Exception {
    JsonNode exchange = example(example);
    JsonNode expected = exchange.at("/responses/200/body");
    seed(exchange, expected.has("value") ? expected.path("value") : one(expected));
    assertShape(tour.get(balancer(exchange) + path, 200).json().orElseThrow(), expected);
  }

  @Test
  void aPoolIsWrittenAsInTheExample() throws Exception {
    JsonNode exchange = example("LBBackendAddressPoolWithBackendAddressesPut");
    String pool = balancer(exchange) + "/backendAddressPools/backend";
    String body = exchange.at("/parameters/parameters").toString();
    JsonNode created = exchange.at("/responses/201/body");
    seed(exchange, one(created.deepCopy()));
    assertShape(tour.put(pool, 200, body).json().orElseThrow(), exchange.at("/responses/200/body"));
    String other = pool + "2";
    JsonNode answer = tour.put(other, 201, body).json().orElseThrow();
    // No rule sends to a pool that is new.
    Set<String> missing = missing(answer, created);
    assertThat(missing).allMatch(place -> place.startsWith(".properties.loadBalancingRules"));
    assertThat(missing).hasSizeLessThan(4);
  }

  @Test
  void aPoolIsDeletedAsInTheExample() throws Exception {
    JsonNode exchange = example("LoadBalancerBackendAddressPoolDelete");
    String pool = balancer(exchange) + "/backendAddressPools/backend";
    group(exchange);
    tour.put(balancer(exchange), 201, "{\"location\":\"westus2\"}");
    tour.put(pool, 201, "{}");
    String shown = exchange.at("/responses/202/headers/location").asText();
    String location = tour.delete(pool, 202).header("Location");
    assertThat(generic(location)).startsWith(generic(shown));
    tour.delete(pool, 204);
  }

  @Test
  void loadBalancersAreShownAsInTheExamples() throws Exception {
    JsonNode one = example("LoadBalancerGet");
    JsonNode many = example("LoadBalancerList");
    group(one);
    tour.put(balancer(one), 201, one.at("/responses/200/body").toString());
    assertShape(tour.get(balancer(one), 200).json().orElseThrow(), one.at("/responses/200/body"));
    group(many);
    for (JsonNode balancer : many.at("/responses/200/body/value")) {
      String path = balancer.path("id").asText();
      int status = path.equalsIgnoreCase(balancer(one)) ? 200 : 201;
      tour.put(path, status, balancer.toString());
    }
    String all = groupOf(many) + NETWORK + "/loadBalancers";
    assertShape(tour.get(all, 200).json().orElseThrow(), many.at("/responses/200/body"));
  }

  private static JsonNode example(String name) {
    return Definitions.read("examples/" + name + ".json");
  }

  private static String groupOf(JsonNode exchange) {
    return "/subscriptions/%s/resourceGroups/%s"
        .formatted(
            exchange.at("/parameters/subscriptionId").asText(),
            exchange.at("/parameters/resourceGroupName").asText());
  }

  private static String balancer(JsonNode exchange) {
    String name = exchange.at("/parameters/loadBalancerName").asText();
    return groupOf(exchange) + NETWORK + "/loadBalancers/" + name;
  }

  private void group(JsonNode exchange) throws Exception {
    tour.elsewhere(groupOf(exchange), "{\"location\":\"westus2\"}");
  }

  private static JsonNode one(JsonNode pool) {
    return com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.arrayNode().add(pool);
  }

  /** A load balancer with these pools, and the rules that they name. */
  private void seed(JsonNode exchange, JsonNode pools) throws Exception {
    group(exchange);
    String id = balancer(exchange);
    StringBuilder rules = new StringBuilder();
    int port = 80;
    for (JsonNode pool : pools) {
      for (JsonNode rule : pool.at("/properties/loadBalancingRules")) {
        String ruleId = rule.path("id").asText();
        rules
            .append(rules.isEmpty() ? "" : ",")
            .append(
                """
                {"name":"%s","properties":{"protocol":"Tcp","frontendPort":%d,"backendPort":80,
                 "frontendIPConfiguration":{"id":"%s/frontendIPConfigurations/f"},
                 "backendAddressPool":{"id":"%s/backendAddressPools/%s"}}}
                """
                    .formatted(
                        ruleId.substring(ruleId.lastIndexOf('/') + 1),
                        port++,
                        id,
                        id,
                        pool.path("name").asText()));
      }
    }
    tour.put(
        id,
        201,
        """
        {"location":"westus2","properties":{"frontendIPConfigurations":[{"name":"f"}],
         "backendAddressPools":%s,"loadBalancingRules":[%s]}}
        """
            .formatted(pools, rules));
    for (JsonNode pool : pools) {
      tour.put(id + "/backendAddressPools/" + pool.path("name").asText(), 200, pool.toString());
    }
    if (!pools.findPath("backendIPConfigurations").isEmpty()) {
      join(exchange, id + "/backendAddressPools/" + pools.path(0).path("name").asText());
    }
  }

  /** Its members are what NICs say, not what is written into the pool. */
  private void join(JsonNode exchange, String pool) throws Exception {
    String network = groupOf(exchange) + NETWORK;
    tour.elsewhere(
        network + "/virtualNetworks/v",
        """
        {"location":"westus2","properties":{"addressSpace":{"addressPrefixes":["10.0.0.0/8"]},
         "subnets":[{"name":"s","properties":{"addressPrefix":"10.1.0.0/16"}}]}}
        """);
    tour.elsewhere(
        network + "/networkInterfaces/nic",
        """
        {"location":"westus2","properties":{"ipConfigurations":[{"name":"default-ip-config",
         "properties":{"subnet":{"id":"%s/virtualNetworks/v/subnets/s"},
         "loadBalancerBackendAddressPools":[{"id":"%s"}]}}]}}
        """
            .formatted(network, pool));
  }

  private static void assertShape(JsonNode answer, JsonNode expected) {
    assertThat(missing(answer, expected)).isEmpty();
    assertThat(shape(expected)).hasSizeGreaterThan(5);
  }

  private static Set<String> missing(JsonNode answer, JsonNode expected) {
    Set<String> missing = new TreeSet<>(shape(expected));
    missing.removeAll(shape(answer));
    return missing;
  }

  /** The place and type of every value. */
  private static Set<String> shape(JsonNode document) {
    Set<String> places = new TreeSet<>();
    walk("", document, places);
    return places;
  }

  private static void walk(String place, JsonNode node, Set<String> places) {
    places.add(place + " " + node.getNodeType());
    node.properties().forEach(one -> walk(place + "." + one.getKey(), one.getValue(), places));
    if (node.isArray()) {
      node.forEach(item -> walk(place + "[]", item, places));
    }
  }

  private static String generic(String link) {
    return link.replaceFirst("^https?://[^/]+", "")
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "GUID");
  }

  @Test
  void aMissingOrOtherMember_isSeen() {
    JsonNode example = example("LoadBalancerGet").at("/responses/200/body");
    String broken = example.toString().replace("\"rulelb\"", "7").replace("\"scope\"", "\"scoop\"");
    List<String> seen = List.copyOf(missing(json(broken), example));
    assertThat(seen)
        .containsExactly(
            ".properties.loadBalancingRules[].name STRING", ".properties.scope STRING");
    assertThat(API).contains(example("LoadBalancerGet").at("/parameters/api-version").asText());
  }

  private static JsonNode json(String text) {
    return new Wire.Answer(200, java.util.Map.of(), text).json().orElseThrow();
  }
}
