package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.body;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.pool;
import static io.poolkeeper.armsim.model.Calls.put;
import static io.poolkeeper.armsim.model.Calls.refusal;
import static io.poolkeeper.armsim.model.Calls.written;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminStateTest {
  private final ArmModel model = new ArmModel(Calls.counting(), 100, 1);

  @BeforeEach
  void aLoadBalancer() {
    written(model, GROUP, "{\"location\":\"eastus\"}");
    written(model, LB, "{\"location\":\"eastus\"}");
  }

  private static String withState(String json) {
    return pool("a=10.0.0.1").replace("\"ipAddress\"", "\"adminState\":" + json + ",\"ipAddress\"");
  }

  private JsonNode entry() {
    return body(model.handle(get(POOL))).at("/properties/loadBalancerBackendAddresses/0");
  }

  @ParameterizedTest
  @CsvSource({"DOWN,Down", "down,Down", "uP,Up", "NONE,None", "None,None"})
  void put_knownStateInAnyCase_isShownInTheCanonicalSpelling(String given, String shown) {
    written(model, POOL, withState("\"" + given + "\""));
    assertThat(entry().at("/properties/adminState").asText()).isEqualTo(shown);
  }

  @Test
  void put_theSameStateInAnotherCase_changesNothing() {
    written(model, POOL, withState("\"Down\""));
    assertThat(model.handle(put(POOL, withState("\"DOWN\""))).started()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"Drain\"", "\"\"", "\"Down \"", "1", "true", "{}", "[\"Up\"]"})
  void put_anythingElse_isRefusedAndChangesNothing(String given) {
    written(model, POOL, withState("\"Up\""));
    Handled refused = model.handle(put(POOL, withState(given)));
    assertThat(refusal(refused)).isEqualTo("400 InvalidRequestFormat/InvalidJson");
    assertThat(entry().at("/properties/adminState").asText()).isEqualTo("Up");
  }

  @Test
  void put_nullOrNoState_takesTheStateAwayAndShowsNone() {
    written(model, POOL, withState("\"Down\""));
    written(model, POOL, withState("null"));
    assertThat(entry().path("properties").has("adminState")).isFalse();
    written(model, POOL, withState("\"Down\""));
    written(model, POOL, pool("a=10.0.0.1"));
    assertThat(entry().path("properties").has("adminState")).isFalse();
  }

  @Test
  void putOfTheLoadBalancer_omittingTheStates_leavesThem() {
    written(model, POOL, withState("\"Down\""));
    String pools =
        "[{\"name\":\"p\","
            + withState("null").substring(1).replace("\"adminState\":null,", "")
            + "]";
    written(
        model,
        LB,
        "{\"location\":\"eastus\",\"properties\":{\"backendAddressPools\":" + pools + "}}");
    assertThat(entry().at("/properties/ipAddress").asText()).isEqualTo("10.0.0.1");
    assertThat(entry().at("/properties/adminState").asText()).isEqualTo("Down");
  }

  @Test
  void aStateIsOfOneEntryInOnePool() {
    String other = LB + "/backendAddressPools/q";
    written(model, POOL, withState("\"Down\""));
    written(model, other, pool("a=10.0.0.1"));
    assertThat(entry().at("/properties/adminState").asText()).isEqualTo("Down");
    assertThat(model.handle(get(other)).answer().status()).isEqualTo(200);
    assertThat(Calls.text(model.handle(get(other)))).doesNotContain("adminState");
  }
}
