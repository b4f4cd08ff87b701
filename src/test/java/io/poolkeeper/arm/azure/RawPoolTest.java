package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaders;
import com.azure.core.util.BinaryData;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What of an answer is kept to be sent back: all that a client may set. */
class RawPoolTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static ObjectNode kept(String answer) {
    BinaryData body = BinaryData.fromString(answer);
    return PoolBody.read(
            ScriptedArm.POOL, new Answer(200, new HttpHeaders(), body), Optional.empty())
        .raw();
  }

  @Test
  void read_recordedPool_keepsWhatAClientMaySet() throws IOException {
    String answer =
        """
        {"name":"default-web","id":"%1$s","etag":"W/\\"e\\"","future":1,"properties":{
          "provisioningState":"Succeeded","syncMode":"Automatic","drainPeriodInSeconds":5,
          "location":"westeurope","tunnelInterfaces":[{"port":10800,"type":"Internal"}],
          "virtualNetwork":{"id":"/vnets/v"},"unknown":true,
          "loadBalancerBackendAddresses":[
            {"name":"a","id":"%1$s/a","etag":"W/\\"e\\"","future":2,"properties":{
              "provisioningState":"Succeeded","adminState":"Down","ipAddress":"10.0.0.1",
              "networkInterfaceIPConfiguration":{"id":"/nic"},"subnet":{"id":"/subnets/s"},
              "inboundNatRulesPortMapping":[],"unknown":true},"type":"entry"}],
          "backendIPConfigurations":[{"id":"/nic"}],"loadBalancingRules":[{"id":"/x/rules/r"}],
          "outboundRule":{"id":"/o"},"outboundRules":[{"id":"/o"}],"inboundNatRules":[]},
         "type":"pool"}\
        """
            .formatted(ScriptedArm.POOL.path());

    assertThat(kept(answer))
        .isEqualTo(
            JSON.readTree(
                """
                {"name":"default-web","id":"%1$s","future":1,"properties":{
                  "syncMode":"Automatic","drainPeriodInSeconds":5,
                  "location":"westeurope","tunnelInterfaces":[{"port":10800,"type":"Internal"}],
                  "virtualNetwork":{"id":"/vnets/v"},"unknown":true,
                  "loadBalancerBackendAddresses":[
                    {"name":"a","future":2,"properties":{"adminState":"Down","ipAddress":"10.0.0.1",
                      "subnet":{"id":"/subnets/s"},"unknown":true}}]}}\
                """
                    .formatted(ScriptedArm.POOL.path())));
  }

  @Test
  void read_membersOfTheSwagger_keepsAllButTheReadOnlyOnes() throws IOException {
    ObjectNode entry = example("LoadBalancerBackendAddress", false);
    ObjectNode pool = example("BackendAddressPool", false);
    pool.withObject("/properties").withArray("/loadBalancerBackendAddresses").add(entry);

    ObjectNode expected = example("BackendAddressPool", true);
    expected
        .withObject("/properties")
        .withArray("/loadBalancerBackendAddresses")
        .add(example("LoadBalancerBackendAddress", true));
    assertThat(kept(pool.toString())).isEqualTo(expected);
  }

  /** Every member that the swagger has, with some value of its type. */
  private static ObjectNode example(String definition, boolean writable) throws IOException {
    JsonNode definitions;
    try (InputStream in = RawPoolTest.class.getResourceAsStream("/arm/swagger/loadBalancer.json")) {
      definitions = JSON.readTree(Objects.requireNonNull(in)).path("definitions");
    }
    ObjectNode example = members(definitions.path(definition), writable);
    example.set("properties", members(definitions.path(definition + "PropertiesFormat"), writable));
    return example;
  }

  private static ObjectNode members(JsonNode definition, boolean writable) {
    ObjectNode all = JSON.createObjectNode();
    definition
        .path("properties")
        .properties()
        .forEach(
            member -> {
              if (!writable || !member.getValue().path("readOnly").asBoolean()) {
                all.set(member.getKey(), value(member.getKey(), member.getValue()));
              }
            });
    return all;
  }

  private static JsonNode value(String name, JsonNode schema) {
    return switch (schema.path("type").asText()) {
      case "array" -> JSON.createArrayNode();
      case "string" -> JSON.getNodeFactory().textNode(name.equals("ipAddress") ? "10.0.0.1" : "x");
      case "integer" -> JSON.getNodeFactory().numberNode(1);
      default ->
          name.equals("provisioningState")
              ? JSON.getNodeFactory().textNode("Succeeded")
              : JSON.createObjectNode();
    };
  }

  @Test
  void read_poolOfNetworkInterfaces_isKeptWhole() throws IOException {
    String answer =
        """
        {"etag":"W/\\"e\\"","properties":{"provisioningState":"Succeeded",
          "loadBalancerBackendAddresses":[{"name":"nic","id":"/nic","etag":"W/\\"e\\"",
            "properties":{"networkInterfaceIPConfiguration":{"id":"/nic"}}}]}}\
        """;

    assertThat(kept(answer)).isEqualTo(JSON.readTree(answer));
  }
}
