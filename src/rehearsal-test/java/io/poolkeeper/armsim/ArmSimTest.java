package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulator over real HTTP, on any free port. */
class ArmSimTest extends SimulatorTest {
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final String BALANCERS = GROUP + "/providers/Microsoft.Network/loadBalancers";
  private static final String LB = BALANCERS + "/lb";
  private static final String POOL = LB + "/backendAddressPools/p";
  private static final PoolId POOL_ID = new PoolId(new LoadBalancerId("S", "RG", "LB"), "P");

  @BeforeEach
  void startSimulator() throws Exception {
    sim = done(ArmSim.start(kit.system(), settings()));
    put(GROUP, "{\"location\":\"eastus\"}");
    put(LB, "{\"location\":\"eastus\"}");
  }

  @AfterEach
  void stopSimulator() {
    done(sim.close());
  }

  private static ArmSimSettings settings() {
    return ArmSimSettings.fast(System::nanoTime, InstantSource.fixed(Instant.EPOCH));
  }

  @Test
  void aWriteIsFollowedToItsEndAsAtAzure() throws Exception {
    HttpResponse<String> accepted = put(POOL, pool("10.0.0.1"));
    assertThat(accepted.statusCode()).isEqualTo(201);
    assertThat(state(accepted)).isEqualTo("Updating");
    assertThat(header(accepted, "Content-Type")).contains("application/json; charset=utf-8");
    assertThat(header(accepted, "Retry-After")).contains("0");
    assertThat(header(accepted, "ETag")).isEmpty();
    assertThat(header(accepted, "Cache-Control")).contains("no-cache");
    String link = header(accepted, "Azure-AsyncOperation").orElseThrow();
    assertThat(link)
        .startsWith(sim.endpoint() + "/subscriptions/s/providers/Microsoft.Network/locations/")
        .hasSizeGreaterThan(2_000);

    assertThat(send("GET", link, "").body()).isEqualTo("{\"status\":\"Succeeded\"}");

    HttpResponse<String> read = get(POOL);
    assertThat(state(read)).isEqualTo("Succeeded");
    assertThat(header(read, "ETag")).contains(json(read).path("etag").asText());
    assertThat(json(read).path("etag")).isNotEqualTo(json(accepted).path("etag"));
    assertThat(sim.pool(POOL_ID))
        .contains(List.of(new PoolMember("n", Optional.of("10.0.0.1"), Optional.empty())));
    assertThat(sim.pools()).containsOnlyKeys(POOL_ID);
    assertThat(sim.maxInFlightPerLoadBalancer()).isEqualTo(1);
  }

  @Test
  void malformedJsonIsRefusedInWordsForTheCaller() throws Exception {
    HttpResponse<String> refused = put(POOL, "{\"properties\":{");

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(json(refused).path("error").path("message").asText())
        .startsWith("The request content was invalid and could not be deserialized: 'Unexpected")
        .doesNotContain("Source", "REDACTED");
  }

  @Test
  void aSecondWriteSupersedesTheFirstAndBothWereInFlight() throws Exception {
    HttpResponse<String> first = put(POOL, pool("10.0.0.1"));
    HttpResponse<String> second = put(POOL, pool("10.0.0.2"));
    JsonNode firstPolled = json(send("GET", asyncOperation(first), ""));
    assertThat(firstPolled.path("status").asText()).isEqualTo("Canceled");
    assertThat(firstPolled.at("/error/details/0/code").asText())
        .isEqualTo("CanceledAndSupersededDueToAnotherOperation");
    assertThat(send("GET", asyncOperation(second), "").body())
        .isEqualTo("{\"status\":\"Succeeded\"}");
    assertThat(get(POOL).body()).contains("10.0.0.2").doesNotContain("10.0.0.1");
    assertThat(sim.maxInFlightPerLoadBalancer()).isEqualTo(2);
    assertThat(sim.log().stream().filter(ArmLogEntry::superseding))
        .singleElement()
        .satisfies(entry -> assertThat(entry.json().path("superseding").asBoolean()).isTrue());
  }

  @Test
  void aStaleEtagIsRefusedAndTheRightOneIsNot() throws Exception {
    String etag = header(get(LB), "ETag").orElseThrow();
    HttpResponse<String> refused =
        send("PUT", at(POOL + VERSION), pool("1.1.1.1"), "If-Match", "W/\"x\"");
    assertThat(refused.statusCode()).isEqualTo(412);
    assertThat(refused.body()).contains("PreconditionFailedEtagMismatch");
    assertThat(send("PUT", at(POOL + VERSION), pool("1.1.1.1"), "If-Match", etag).statusCode())
        .isEqualTo(201);
  }

  @Test
  void badRequestsGetResourceManagersErrors() throws Exception {
    assertThat(code(send("GET", at(LB), ""))).isEqualTo("MissingApiVersionParameter");
    assertThat(code(put(POOL, "{\"name\":"))).isEqualTo("InvalidRequestContent");
    assertThat(code(put(POOL, ""))).isEqualTo("InvalidRequestContent");
    assertThat(code(send("PATCH", at(POOL + VERSION), "{}"))).isEqualTo("HttpMethodNotAllowed");
    assertThat(code(get("/subscriptions/s/nothing"))).isEqualTo("InvalidResourceType");
    assertThat(code(put(POOL, "\"" + "x".repeat(5 << 20) + "\"")))
        .isEqualTo("RequestContentTooLarge");
  }

  @Test
  void faultRulesAnswerInsteadOfTheModel() throws Exception {
    fault(
        "{\"method\":\"GET\",\"path\":\"/lb$\",\"times\":1,\"status\":429,\"code\":\"Slow\",\"retryAfter\":\"7\"}");
    HttpResponse<String> throttled = get(LB);
    assertThat(throttled.statusCode()).isEqualTo(429);
    assertThat(header(throttled, "Retry-After")).contains("7");
    assertThat(code(throttled)).isEqualTo("Slow");
    assertThat(get(LB).statusCode()).isEqualTo(200);

    fault("{\"times\":1,\"status\":503,\"body\":\"<html>\",\"contentType\":\"text/html\"}");
    HttpResponse<String> html = get(LB);
    assertThat(html.statusCode()).isEqualTo(503);
    assertThat(header(html, "Content-Type").orElseThrow()).startsWith("text/html");
    assertThat(html.body()).isEqualTo("<html>");

    fault("{\"status\":200,\"body\":\"\"}");
    assertThat(get(LB).body()).isEmpty();
    assertThat(send("DELETE", at("/_faults"), "").statusCode()).isEqualTo(204);
    assertThat(get(LB).body()).isNotEmpty();

    assertThat(send("POST", at("/_faults"), "{\"stauts\":1}").body()).contains("unknown member");
  }

  @Test
  void aBrokenAnswerBelongsToAWriteThatWasApplied() throws Exception {
    fault("{\"method\":\"PUT\",\"times\":1,\"reset\":true}");
    assertThatThrownBy(() -> put(POOL, pool("10.0.0.9"))).isInstanceOf(IOException.class);
    assertThat(sim.pool(POOL_ID))
        .contains(List.of(new PoolMember("n", Optional.of("10.0.0.9"), Optional.empty())));
  }

  @Test
  void theLogHasTheTimeOfEachAcceptedWrite() throws Exception {
    put(POOL, pool("10.0.0.1"));
    get(POOL + "x");
    List<ArmLogEntry> log = sim.log();
    assertThat(log).extracting(ArmLogEntry::status).containsExactly(201, 201, 201, 404);
    ArmLogEntry write = log.get(2);
    assertThat(write.acceptedNanos().orElseThrow()).isGreaterThanOrEqualTo(write.arrivedNanos());
    assertThat(write.loadBalancer()).contains(POOL_ID.loadBalancer());
    assertThat(log.get(3).acceptedNanos()).isEmpty();
    String[] lines = send("GET", at("/_log"), "").body().split("\n", -1);
    assertThat(lines).hasSize(5);
    assertThat(lines[2])
        .contains("\"pool\":\"p\",\"addresses\":[{\"name\":\"n\",\"ip\":\"10.0.0.1\"}]");
    assertThat(json(send("GET", at("/_state"), "")).path("loadBalancers")).hasSize(1);
    assertThat(send("POST", at("/_reset"), "").statusCode()).isEqualTo(204);
    assertThat(sim.log()).isEmpty();
    assertThat(code(get(LB))).isEqualTo("ResourceGroupNotFound");
  }

  @Test
  void listsArePagedByLinksThatWork() throws Exception {
    done(sim.close());
    sim = done(ArmSim.start(kit.system(), settings().withPageSize(1)));
    put(GROUP, "{\"location\":\"eastus\"}");
    put(BALANCERS + "/one", "{\"location\":\"eastus\"}");
    put(BALANCERS + "/two", "{\"location\":\"eastus\"}");
    JsonNode first = json(get(BALANCERS));
    assertThat(first.at("/value").findValuesAsText("id")).containsExactly(BALANCERS + "/one");
    JsonNode second = json(send("GET", first.path("nextLink").asText(), ""));
    assertThat(second.at("/value").findValuesAsText("id")).containsExactly(BALANCERS + "/two");
    assertThat(second.has("nextLink")).isFalse();
  }

  @Test
  void killedAndBroughtBackOnTheSamePortItKnowsWhatItKnew(@TempDir Path folder) throws Exception {
    done(sim.close());
    ArmSimSettings kept = settings().withStateFile(folder.resolve("arm.json"));
    sim = done(ArmSim.start(kit.system(), kept));
    put(GROUP, "{\"location\":\"eastus\"}");
    put(LB, "{\"location\":\"eastus\"}");
    HttpResponse<String> accepted = put(POOL, pool("10.0.0.1"));
    int port = sim.endpoint().getPort();
    // When
    done(sim.close());
    sim = done(ArmSim.start(kit.system(), kept.withPort(port)));
    // Then
    assertThat(json(get(POOL)).path("etag")).isEqualTo(json(accepted).path("etag"));
    assertThat(send("GET", asyncOperation(accepted), "").body())
        .isEqualTo("{\"status\":\"Succeeded\"}");
    assertThat(state(get(POOL))).isEqualTo("Succeeded");
    JsonNode dump = done(sim.dump());
    done(sim.load((com.fasterxml.jackson.databind.node.ObjectNode) dump));
    assertThat(done(sim.dump())).isEqualTo(dump);
  }

  @Test
  void aStateFileThatIsNoneIsRefusedByName(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("arm.json"), "{\"resourceGroups\":7}");
    assertThatThrownBy(() -> done(ArmSim.start(kit.system(), settings().withStateFile(file))))
        .hasMessageContaining(
            "state file %s: resourceGroups: expected an array but found NUMBER".formatted(file));
  }

  @Test
  void aTakenPortIsAFailureOfTheStart() {
    int taken = sim.endpoint().getPort();
    assertThatThrownBy(() -> done(ArmSim.start(kit.system(), settings().withPort(taken))))
        .hasMessageContaining(Integer.toString(taken));
  }

  private void fault(String rule) throws Exception {
    assertThat(send("POST", at("/_faults"), rule).statusCode()).isEqualTo(201);
  }

  private static String asyncOperation(HttpResponse<?> response) {
    return header(response, "Azure-AsyncOperation").orElseThrow();
  }

  private static Optional<String> header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name);
  }

  private static String state(HttpResponse<String> response) {
    return json(response).at("/properties/provisioningState").asText();
  }

  private static String code(HttpResponse<String> response) {
    return json(response).at("/error/code").asText();
  }

  private static JsonNode json(HttpResponse<String> response) {
    try {
      return new JsonMapper().readTree(response.body());
    } catch (JsonProcessingException wrong) {
      throw new AssertionError(response.body(), wrong);
    }
  }
}
