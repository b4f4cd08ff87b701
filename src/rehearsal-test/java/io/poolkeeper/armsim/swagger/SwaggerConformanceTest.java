package io.poolkeeper.armsim.swagger;

import static io.poolkeeper.armsim.swagger.Wire.API;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.swagger.Wire.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every answer of every route of load balancers conforms to Azure's swagger, refusals included. */
class SwaggerConformanceTest {
  private static final String SUBSCRIPTION = "/subscriptions/s";
  private static final String GROUP = SUBSCRIPTION + "/resourceGroups/rg";
  private static final String NETWORK = GROUP + "/providers/Microsoft.Network";
  private static final String BALANCERS = "/providers/Microsoft.Network/loadBalancers";
  private static final String LB = GROUP + BALANCERS + "/lb";
  private static final String POOL = LB + "/backendAddressPools/";
  private static final String VNET = NETWORK + "/virtualNetworks/v";
  private static final String SUBNET = VNET + "/subnets/n";
  private static final String NIC = NETWORK + "/networkInterfaces/nic";
  private static final int ROUTES = 27;

  @Test
  void theModelSpeaksAsTheSwaggerSays() throws Exception {
    travel(new Tour(new ModelWire()));
  }

  @Test
  void theSimulatorSpeaksAsTheSwaggerSays() throws Exception {
    try (var wire = new HttpWire()) {
      travel(new Tour(wire));
    }
  }

  @Test
  void injectedFaultsLookLikeAzures() throws Exception {
    try (var wire = new HttpWire()) {
      var tour = new Tour(wire);
      found(tour);
      for (int status : List.of(401, 403, 404, 409, 412, 429, 500, 502, 503, 504)) {
        fault(wire, "{\"times\":1,\"status\":%d}".formatted(status));
        tour.get(POOL + "p", status);
      }
      for (String kind : List.of("failed", "canceled")) {
        fault(wire, "{\"method\":\"PUT\",\"times\":1,\"lro\":\"%s\"}".formatted(kind));
        Answer accepted = tour.call(200, "PUT", POOL + "p" + API, entries(kind, "10.0.0.9"));
        assertThat(tour.poll(accepted.header("Azure-AsyncOperation")).path("error")).isNotEmpty();
        tour.get(POOL + "p", 200);
      }
      for (String contention : List.of("retryable", "conflict")) {
        String behavior = "{\"contention\":\"%s\"}".formatted(contention);
        assertThat(wire.send("PUT", "/_behavior", behavior).status()).isEqualTo(200);
        Answer first = tour.call(200, "PUT", POOL + "p" + API, entries(contention, "10.0.0.8"));
        int refusal = contention.equals("conflict") ? 409 : 429;
        tour.call(refusal, "PUT", POOL + "p" + API, entries("other", "10.0.0.7"));
        tour.poll(first.header("Azure-AsyncOperation"));
      }
      assertThat(tour.answers()).isGreaterThan(20);
    }
  }

  private static void fault(Wire wire, String rule) throws Exception {
    Answer answer = wire.send("POST", "/_faults", rule);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }

  private static void travel(Tour tour) throws Exception {
    found(tour);
    balancers(tour);
    pools(tour);
    nics(tour);
    parts(tour);
    refusals(tour);
    actions(tour);
    ends(tour);
    assertThat(tour.visited()).isEqualTo(new ArmSchema().routes()).hasSize(ROUTES);
    assertThat(tour.answers()).isGreaterThan(100);
  }

  /** A network and a load balancer that has everything. */
  private static void found(Tour tour) throws Exception {
    tour.elsewhere(GROUP, "{\"location\":\"eastus\"}");
    tour.elsewhere(
        VNET,
        """
        {"location":"eastus","properties":{"addressSpace":{"addressPrefixes":["10.0.0.0/8"]},
         "subnets":[{"name":"n","properties":{"addressPrefix":"10.1.0.0/16"}}]}}
        """);
    tour.elsewhere(
        NETWORK + "/publicIPAddresses/ip",
        """
        {"location":"eastus","sku":{"name":"Standard"},
         "properties":{"publicIPAllocationMethod":"Static"}}
        """);
    tour.put(LB, 201, whole());
    // A load balancer's own PUT leaves new pools empty.
    JsonNode pools = ArmJson.MAPPER.readTree(whole()).at("/properties/backendAddressPools");
    for (JsonNode pool : pools) {
      tour.put(POOL + pool.path("name").asText(), 200, pool.toString());
    }
  }

  private static String whole() {
    return """
    {"location":"eastus","tags":{"a":"b"},"sku":{"name":"Standard","tier":"Regional"},
     "properties":{
      "frontendIPConfigurations":[
       {"name":"f","zones":["1"],"properties":{"subnet":{"id":"%1$s"},
        "privateIPAllocationMethod":"Dynamic","privateIPAddressVersion":"IPv4"}},
       {"name":"g","properties":{"publicIPAddress":{"id":"%2$s/publicIPAddresses/ip"}}},
       {"name":"h","properties":{"subnet":{"id":"%1$s"},"privateIPAddress":"fd00::4",
        "privateIPAllocationMethod":"Static","privateIPAddressVersion":"IPv6"}}],
      "backendAddressPools":[
       {"name":"p","properties":{"loadBalancerBackendAddresses":[
        {"name":"a","properties":{"ipAddress":"10.0.0.1","adminState":"Up"}},
        {"name":"b","properties":{"ipAddress":"10.0.0.2",
         "virtualNetwork":{"id":"%5$s"}}}]}},
       {"name":"q","properties":{"syncMode":"Automatic","virtualNetwork":{"id":"%5$s"},
        "loadBalancerBackendAddresses":[
        {"name":"a","properties":{"ipAddress":"fd00::1","adminState":"None"}}]}},
       {"name":"empty"}],
      "probes":[
       {"name":"t","properties":{"protocol":"Tcp","port":80,"intervalInSeconds":5,
        "probeThreshold":2}},
       {"name":"u","properties":{"protocol":"Http","port":80,"requestPath":"/","numberOfProbes":1,
        "noHealthyBackendsBehavior":"AllProbedUp"}}],
      "loadBalancingRules":[
       {"name":"r","properties":{"frontendIPConfiguration":{"id":"%3$s/frontendIPConfigurations/f"},
        "backendAddressPool":{"id":"%4$sp"},"probe":{"id":"%3$s/probes/t"},"protocol":"Tcp",
        "frontendPort":80,"backendPort":80,"idleTimeoutInMinutes":4,"enableFloatingIP":true,
        "enableTcpReset":true,"disableOutboundSnat":true,"loadDistribution":"SourceIP"}},
       {"name":"s","properties":{"frontendIPConfiguration":{"id":"%3$s/frontendIPConfigurations/h"},
        "backendAddressPools":[{"id":"%4$sq"}],"protocol":"All","frontendPort":0,
        "backendPort":0}}],
      "inboundNatRules":[
       {"name":"n","properties":{"frontendIPConfiguration":{"id":"%3$s/frontendIPConfigurations/f"},
        "protocol":"Udp","frontendPort":2200,"backendPort":22}}],
      "outboundRules":[
       {"name":"o","properties":{"frontendIPConfigurations":[
        {"id":"%3$s/frontendIPConfigurations/g"}],"backendAddressPool":{"id":"%4$sp"},
        "protocol":"All","allocatedOutboundPorts":64}}]}}
    """
        .formatted(SUBNET, NETWORK, LB, POOL, VNET);
  }

  private static void balancers(Tour tour) throws Exception {
    JsonNode read = tour.get(LB, 200).json().orElseThrow();
    for (String member : List.of("frontendIPConfigurations", "backendAddressPools")) {
      assertThat(read.path("properties").path(member)).as(member).hasSize(3);
    }
    tour.call(200, "GET", LB + API + "&$expand=x", "");
    tour.put(LB, 200, read.toString());
    tour.put(
        LB, 200, whole().replace("\"Dynamic\"", "\"Static\",\"privateIPAddress\":\"10.1.0.9\""));
    tour.call(200, "PATCH", LB + API, "{\"tags\":{\"c\":\"d\"}}");
    tour.call(200, "PATCH", LB + API, "{}");
    for (String name : List.of("2", "3", "4", "5")) {
      tour.put(LB + name, 201, "{\"location\":\"eastus\"}");
    }
    assertThat(tour.list(GROUP + BALANCERS)).isEqualTo(5);
    assertThat(tour.list(SUBSCRIPTION + BALANCERS)).isEqualTo(5);
    tour.list(SUBSCRIPTION + "2" + BALANCERS);
  }

  private static void pools(Tour tour) throws Exception {
    for (String pool : List.of("p", "q", "empty")) {
      JsonNode read = tour.get(POOL + pool, 200).json().orElseThrow();
      tour.put(POOL + pool, 200, read.toString());
    }
    tour.put(POOL + "x", 201, "{}");
    tour.put(POOL + "x", 200, entries("a", "10.0.0.3"));
    for (String state : List.of("None", "Up", "Down")) {
      String with = entries("a", "10.0.0.3\",\"adminState\":\"" + state);
      tour.put(POOL + "x", 200, with);
      assertThat(tour.get(POOL + "x", 200).body()).contains("\"adminState\":\"" + state);
    }
    tour.put(POOL + "x", 200, entries("six", "fd00::7"));
    // Seen while it is written, however busy the machine is, and superseded.
    tour.slowNext();
    Answer first = tour.call(200, "PUT", POOL + "x" + API, entries("a", "10.0.0.4"));
    assertThat(tour.get(POOL + "x", 200).body()).contains("Updating");
    tour.get(LB, 200);
    tour.put(POOL + "x", 200, entries("a", "10.0.0.5"));
    assertThat(tour.poll(first.header("Azure-AsyncOperation")).path("status").asText())
        .isEqualTo("Canceled");
    tour.put(POOL + "x", 200, "{\"properties\":{\"loadBalancerBackendAddresses\":[]}}");
    assertThat(tour.list(LB + "/backendAddressPools")).isEqualTo(4);
  }

  /** A body with one entry. */
  private static String entries(String name, String ip) {
    return """
    {"properties":{"loadBalancerBackendAddresses":[
     {"name":"%s","properties":{"ipAddress":"%s"}}]}}
    """
        .formatted(name, ip);
  }

  private static void nics(Tour tour) throws Exception {
    tour.put(POOL + "nics", 201, "{}");
    tour.elsewhere(
        NIC,
        """
        {"location":"eastus","properties":{"ipConfigurations":[{"name":"c","properties":{
         "subnet":{"id":"%s"},"loadBalancerBackendAddressPools":[{"id":"%snics"}]}}]}}
        """
            .formatted(SUBNET, POOL));
    Answer read = tour.get(POOL + "nics", 200);
    assertThat(read.body()).contains("networkInterfaceIPConfiguration", "backendIPConfigurations");
    String down = read.body().replace("\"networkInterfaceIP", "\"adminState\":\"Down\",$0");
    tour.put(POOL + "nics", 200, down.replace("$0", "\"networkInterfaceIP"));
    assertThat(tour.get(POOL + "nics", 200).body()).contains("\"adminState\":\"Down\"");
    tour.get(LB, 200);
    tour.list(LB + "/backendAddressPools");
    tour.call(400, "PUT", POOL + "nics" + API, entries("a", "10.0.0.6"));
  }

  private static void parts(Tour tour) throws Exception {
    for (String part :
        List.of(
            "frontendIPConfigurations/f",
            "frontendIPConfigurations/g",
            "frontendIPConfigurations/h",
            "loadBalancingRules/r",
            "loadBalancingRules/s",
            "probes/t",
            "probes/u",
            "inboundNatRules/n",
            "outboundRules/o")) {
      tour.get(LB + "/" + part, 200);
      assertThat(tour.list(LB + "/" + part.substring(0, part.indexOf('/')))).isPositive();
      assertThat(tour.list(LB + "2/" + part.substring(0, part.indexOf('/')))).isZero();
      tour.get(LB + "/" + part + "x", 404);
    }
    String rule = LB + "/inboundNatRules/m";
    String body =
        """
        {"properties":{"frontendIPConfiguration":{"id":"%s/frontendIPConfigurations/f"},
         "protocol":"Tcp","frontendPort":2201,"backendPort":22,"enableTcpReset":false}}
        """
            .formatted(LB);
    tour.put(rule, 201, body);
    tour.put(rule, 200, body.replace("22,", "23,"));
    tour.get(rule, 200);
    tour.delete(rule, 202);
    tour.delete(rule, 204);
  }

  private static void refusals(Tour tour) throws Exception {
    tour.get(LB + "x", 404);
    tour.get(POOL + "y", 404);
    tour.get(LB + "x/backendAddressPools", 404);
    tour.get(LB.replace("/rg/", "/none/"), 404);
    tour.get(GROUP.replace("rg", "none") + BALANCERS, 404);
    tour.call(404, "PATCH", LB + "x" + API, "{\"tags\":{}}");
    tour.call(404, "GET", LB + "/nothing" + API, "");
    tour.call(400, "GET", LB, "");
    tour.call(400, "GET", LB + "?api-version=1999-01-01", "");
    tour.call(405, "PATCH", POOL + "p" + API, "{}");
    tour.call(405, "PUT", LB + "/probes/t" + API, "{}");
    tour.call(412, "PUT", POOL + "p" + API, "{}", "If-Match", "W/\"no\"");
    tour.call(412, "DELETE", LB + API, "", "If-Match", "W/\"no\"");
    for (String wrong :
        List.of("{", "[]", "", "{\"properties\":7}", entries("", "10.0.0.1"), entries("a", "x"))) {
      tour.call(400, "PUT", POOL + "p" + API, wrong);
    }
    String foreign = whole().replace(SUBNET, SUBNET.replace("/s/", "/other/"));
    tour.call(400, "PUT", LB + API, foreign);
    tour.call(400, "PUT", LB + API, whole().replace("\"Standard\"", "\"Basic\""));
    tour.delete(POOL + "p", 400);
    tour.call(404, "PUT", LB + "x/backendAddressPools/p" + API, "{}");
    tour.call(404, "GET", operation("0"), "");
  }

  private static String operation(String digit) {
    return SUBSCRIPTION
        + "/providers/Microsoft.Network/locations/eastus/operations/00000000-0000-0000-0000-00000000fff"
        + digit
        + API;
  }

  /** Missing features are refused in Azure's form. */
  private static void actions(Tour tour) throws Exception {
    tour.call(501, "POST", LB + "/loadBalancingRules/r/health" + API, "");
    tour.call(501, "POST", POOL + "p/queryInboundNatRulePortMapping" + API, "{}");
    tour.call(501, "POST", LB + "/migrateToIpBased" + API, "{}");
    tour.call(
        405,
        "POST",
        SUBSCRIPTION
            + "/providers/Microsoft.Network/locations/eastus/setLoadBalancerFrontendPublicIpAddresses"
            + API,
        "{}");
    tour.call(404, "GET", LB + "/networkInterfaces" + API, "");
  }

  private static void ends(Tour tour) throws Exception {
    tour.delete(POOL + "x", 202);
    tour.delete(POOL + "x", 204);
    tour.delete(LB + "2", 202);
    tour.delete(LB + "2", 204);
  }
}
