package io.poolkeeper.armsim.swagger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker itself: Azure's own examples pass, wrong documents do not. */
class ArmSchemaTest {
  private static final ArmSchema SCHEMA = new ArmSchema();
  private static final String LB =
      "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/lb";
  private static final String POOL = LB + "/backendAddressPools/p";
  private static final String API = "api-version=2025-05-01";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'id':'/subscriptions/s','name':'p','etag':'W','type':'t'}",
        "{'properties':{'loadBalancerBackendAddresses':[]}}",
        "{'properties':{'drainPeriodInSeconds':2147483647}}",
        "{'properties':{'loadBalancerBackendAddresses':[{'id':'i','etag':'e','type':'t','name':'n',"
            + "'properties':{'ipAddress':'fd00::1','adminState':'Down','provisioningState':'Updating'"
            + "}}]}}",
        "{'properties':{'backendIPConfigurations':[{'id':'/subscriptions/s','more':1}]}}"
      })
  void answer_asAzureGivesIt_passes(String pool) {
    assertThat(SCHEMA.problems("BackendAddressPool", json(pool), true)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "[]                                                          | object expected",
        "{'id':7}                                                    | $.id: integer found",
        "{'name':null}                                               | $.name: null found",
        "{'colour':'red'}                                            | 'colour' is not defined",
        "{'properties':{'loadBalancerBackendAddresses':{}}}          | array expected",
        "{'properties':{'syncMode':'automatic'}}                     | syncMode: does not have a value",
        "{'properties':{'drainPeriodInSeconds':2147483648}}          | must have a maximum value",
        "{'properties':{'drainPeriodInSeconds':1.5}}                 | integer expected",
        "{'properties':{'virtualNetwork':'/subscriptions/s'}}        | object expected",
        "{'properties':{'backendIPConfigurations':['/nic']}}         | object expected",
        "{'properties':{'loadBalancerBackendAddresses':[{'properties':{'adminState':'Drain'}}]}}"
            + " | adminState: does not have a value",
        "{'properties':{'loadBalancerBackendAddresses':[{'properties':{'ipAddress':1}}]}}"
            + " | $.properties.loadBalancerBackendAddresses[0].properties.ipAddress"
      })
  void answer_wrong_isRejectedByItsPlace(String pool, String why) {
    assertThat(SCHEMA.problems("BackendAddressPool", json(pool), true))
        .singleElement()
        .asString()
        .contains(why);
  }

  @Test
  void answer_membersThatMustBeThere_areMissed() {
    assertThat(SCHEMA.problems("LoadBalancingRule", json("{'properties':{}}"), true))
        .hasSize(2)
        .allMatch(problem -> problem.contains("required property"));
    assertThat(SCHEMA.response("GET", LB, 404, Optional.of(json("{'error':{'code':'x'}}"))))
        .singleElement()
        .asString()
        .contains("'message'");
    assertThat(SCHEMA.response("GET", LB, 404, Optional.of(json("{}")))).hasSize(1);
    assertThat(SCHEMA.response("GET", LB, 404, Optional.empty())).hasSize(1);
  }

  @Test
  void answer_ofAnotherStatusOrRoute_isRejected() {
    assertThat(SCHEMA.response("GET", LB, 201, Optional.of(json("{}")))).hasSize(1);
    assertThat(SCHEMA.response("DELETE", POOL, 204, Optional.of(json("{}")))).hasSize(1);
    assertThat(SCHEMA.response("DELETE", POOL, 204, Optional.empty())).isEmpty();
    assertThat(SCHEMA.response("PATCH", POOL, 200, Optional.of(json("{}")))).hasSize(1);
  }

  @Test
  void request_asItShouldBe_passesWhateverElseItSendsBack() {
    JsonNode body = json("{'future':1,'properties':{'also':[],'loadBalancerBackendAddresses':[]}}");
    assertThat(SCHEMA.request("PUT", POOL, API, Optional.of(body))).isEmpty();
    assertThat(
            SCHEMA.request("GET", POOL.toUpperCase(java.util.Locale.ROOT), API, Optional.empty()))
        .isEmpty();
    assertThat(SCHEMA.request("GET", LB, API + "&$expand=x", Optional.empty())).isEmpty();
  }

  @Test
  void request_wrong_isRejected() {
    Optional<JsonNode> wrong =
        Optional.of(json("{'properties':{'loadBalancerBackendAddresses':1}}"));
    assertThat(SCHEMA.request("PUT", POOL, API, wrong))
        .singleElement()
        .asString()
        .contains("array");
    assertThat(SCHEMA.request("PUT", POOL, API, Optional.empty()))
        .containsExactly("the body is missing");
    assertThat(SCHEMA.request("GET", POOL, "", Optional.empty()))
        .containsExactly("the query lacks api-version");
    assertThat(SCHEMA.request("GET", POOL, API + "&$expand=x", Optional.empty()))
        .singleElement()
        .asString()
        .startsWith("the query has $expand");
    assertThat(SCHEMA.request("GET", POOL + "/x", API, Optional.empty()))
        .singleElement()
        .asString()
        .startsWith("no such route");
  }

  @ParameterizedTest
  @CsvSource({
    "LBBackendAddressPoolListWithBackendAddressesPoolType, LoadBalancerBackendAddressPoolListResult",
    "LBBackendAddressPoolWithBackendAddressesGet, BackendAddressPool",
    "LBBackendAddressPoolWithBackendAddressesPut, BackendAddressPool",
    "LoadBalancerBackendAddressPoolGet, BackendAddressPool",
    "LoadBalancerBackendAddressPoolList, LoadBalancerBackendAddressPoolListResult",
    "LoadBalancerGet, LoadBalancer",
    "LoadBalancerList, LoadBalancerListResult"
  })
  void azuresOwnExamplesPass(String example, String definition) {
    List<JsonNode> bodies =
        Definitions.read("examples/" + example + ".json").path("responses").findValues("body");
    assertThat(bodies)
        .isNotEmpty()
        .allSatisfy(body -> assertThat(SCHEMA.problems(definition, body, true)).isEmpty());
  }

  private static JsonNode json(String text) {
    try {
      return new JsonMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException wrong) {
      throw new AssertionError(text, wrong);
    }
  }
}
