package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.poolkeeper.armsim.fault.Behavior;
import io.poolkeeper.armsim.fault.FaultRule;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults of the simulator over real HTTP, with a monotonic test clock. */
class MisbehaviorTest extends SimulatorTest {
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final String LB = GROUP + "/providers/Microsoft.Network/loadBalancers/lb";
  private static final String POOL = LB + "/backendAddressPools/p";
  private static final String WRITES_LEFT = "x-ms-ratelimit-remaining-subscription-writes";
  private static final String READS_LEFT = "x-ms-ratelimit-remaining-subscription-reads";
  private static final String SUCCEEDED = "{\"status\":\"Succeeded\"}";

  private final AtomicLong nanos = new AtomicLong(1);

  @BeforeEach
  void startSimulator() throws Exception {
    sim =
        done(
            ArmSim.start(
                kit.system(), ArmSimSettings.fast(nanos::get, InstantSource.fixed(Instant.EPOCH))));
    put(GROUP, "{\"location\":\"East US\"}");
    put(LB, "{\"location\":\"eastus\"}");
  }

  @AfterEach
  void stopSimulator() {
    done(sim.close());
  }

  @Test
  void aWriteDuringAnotherIsRefusedInTheFormThatWasChosen() throws Exception {
    behavior("{'contention':'retryable','contentionRetrySeconds':14,'retryAfter':'date'}");
    HttpResponse<String> first = put(POOL, pool("10.0.0.1"));
    HttpResponse<String> second = put(POOL, pool("10.0.0.2"));
    assertThat(second.statusCode()).isEqualTo(429);
    assertThat(code(second)).isEqualTo("RetryableError");
    assertThat(header(second, "Retry-After")).isEqualTo("Thu, 01 Jan 1970 00:00:14 GMT");
    assertThat(header(second, "x-ms-failure-cause")).isEqualTo("service");
    assertThat(sim.maxInFlightPerLoadBalancer()).isEqualTo(2);

    behavior("{'contention':'conflict'}");
    HttpResponse<String> third = put(POOL, pool("10.0.0.3"));
    assertThat(third.statusCode()).isEqualTo(409);
    String message = json(third.body()).at("/error/message").asText();
    String link = message.substring(message.indexOf("http://"));
    assertThat(link).isEqualTo(operation(first));
    assertThat(send("GET", link, "").body()).isEqualTo(SUCCEEDED);
    assertThat(get(POOL).body()).contains("10.0.0.1").doesNotContain("10.0.0.2", "10.0.0.3");
    assertThat(put(POOL, pool("10.0.0.4")).statusCode()).isEqualTo(200);
  }

  @Test
  void throttlesRefuseTellAndRecover() throws Exception {
    behavior("{'throttle':{'arm':true,'armWrites':{'burst':2,'perSecond':1}}}");
    assertThat(header(put(POOL, pool("10.0.0.1")), WRITES_LEFT)).isEqualTo("1");
    HttpResponse<String> last = put(POOL, pool("10.0.0.2"));
    assertThat(header(last, WRITES_LEFT)).isEqualTo("0");
    assertThat(header(last, "x-ms-ratelimit-remaining-subscription-global-writes")).isEqualTo("28");
    HttpResponse<String> refused = put(POOL, pool("10.0.0.3"));
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(code(refused)).isEqualTo("SubscriptionRequestsThrottled");
    assertThat(refused.body()).contains("actor '00000000-0000-0000-0000-000000000000'");
    assertThat(header(refused, "Retry-After")).isEqualTo("1");
    assertThat(header(refused, WRITES_LEFT)).isEqualTo("0");
    // Another caller has another bucket, and reads are counted separately.
    assertThat(
            send("PUT", at(POOL + VERSION), pool("10.0.0.4"), "Authorization", "Bearer b")
                .statusCode())
        .isEqualTo(200);
    assertThat(header(get(LB), "x-ms-ratelimit-remaining-subscription-reads")).isEqualTo("249");
    assertThat(
            header(send("GET", operation(last), ""), "x-ms-ratelimit-remaining-subscription-reads"))
        .isEqualTo("248");
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(put(POOL, pool("10.0.0.3")).statusCode()).isEqualTo(200);
    assertThat(sim.log())
        .filteredOn(entry -> entry.by().throttle().isPresent())
        .extracting(ArmLogEntry::code)
        .containsExactly("SubscriptionRequestsThrottled");
  }

  @Test
  void theNetworkProviderCountsPerRegion() throws Exception {
    behavior("{'retryAfter':'absent','throttle':{'network':true,'networkWrites':1}}");
    put(LB + "west", "{\"location\":\"westus\"}");
    HttpResponse<String> refused = put(POOL, pool("10.0.0.1"));
    assertThat(code(refused)).isEqualTo("TooManyRequests");
    assertThat(header(refused, "x-ms-failure-cause")).isEqualTo("service");
    assertThat(refused.headers().firstValue("Retry-After")).isEmpty();
    assertThat(put(LB + "west/backendAddressPools/p", pool("10.0.0.1")).statusCode())
        .isEqualTo(201);
    assertThat(put(GROUP, "{\"location\":\"eastus\"}").statusCode()).isEqualTo(200);
    assertThat(send("GET", at("/_log"), "").body()).contains("\"throttle\":\"network\"");
  }

  @Test
  void writesThatMeetAreQueuedIfThatWasChosen() throws Exception {
    behavior("{'contention':'queue'}");
    fault("{'lro':'slow','lroMillis':500,'times':1}");
    HttpResponse<String> slow = put(POOL, pool("10.0.0.1"));
    HttpResponse<String> queued = put(POOL, pool("10.0.0.2"));
    assertThat(queued.statusCode()).isEqualTo(200);
    assertThat(send("GET", operation(queued), "").body()).contains("InProgress");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(get(POOL).body()).contains("Succeeded", "10.0.0.2"));
    assertThat(send("GET", operation(slow), "").body()).isEqualTo(SUCCEEDED);
    assertThat(send("GET", operation(queued), "").body()).isEqualTo(SUCCEEDED);
  }

  @Test
  void deviationsAreChosenTogetherAndEmptiedByReset() throws Exception {
    assertThat(header(get(LB), READS_LEFT)).isNotEmpty();
    // When
    String shown = behavior("{'deviations':['quota-headers-absent','ETAG-ONCE','etag-once']}");
    // Then
    assertThat(json(shown).path("deviations"))
        .isEqualTo(json("[\"etag-once\",\"quota-headers-absent\"]"));
    HttpResponse<String> written = put(POOL, pool("10.0.0.1"));
    assertThat(header(written, WRITES_LEFT)).isEmpty();
    send("GET", operation(written), "");
    HttpResponse<String> read = get(POOL);
    assertThat(header(read, READS_LEFT)).isEmpty();
    assertThat(json(read.body()).path("etag")).isEqualTo(json(written.body()).path("etag"));
    // When
    HttpResponse<String> wrong = send("PUT", at("/_behavior"), "{\"deviations\":[\"a\",7]}");
    // Then
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("found \\\"a\\\"; deviations must be", "found 7");
    // When
    send("POST", at("/_reset"), "");
    // Then
    assertThat(json(send("GET", at("/_behavior"), "").body())).isEqualTo(Behavior.FAST.json());
  }

  @Test
  void behaviorIsShownChangedInPartAndRestoredByReset() throws Exception {
    JsonNode before = json(send("GET", at("/_behavior"), "").body());
    assertThat(before).isEqualTo(Behavior.FAST.json());
    assertThat(
            json(behavior("{'throttle':{'networkReads':7}}")).at("/throttle/networkReads").asInt())
        .isEqualTo(7);
    HttpResponse<String> wrong =
        send("PUT", at("/_behavior"), "{\"contention\":\"wait\",\"throttle\":{\"arm\":1}}");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("contention must be one of", "throttle.arm must be");
    assertThat(json(send("GET", at("/_behavior"), "").body()).at("/throttle/networkReads").asInt())
        .isEqualTo(7);
    fault("{'status':500}");
    assertThat(send("POST", at("/_reset"), "").statusCode()).isEqualTo(204);
    assertThat(json(send("GET", at("/_behavior"), "").body())).isEqualTo(before);
    assertThat(send("GET", at("/_faults"), "").body()).isEqualTo("[]");
  }

  @ParameterizedTest
  @CsvSource({"failed,Failed,InternalServerError", "canceled,Canceled,CanceledAndSuperseded"})
  void anAcceptedWriteEndsBadly(String lro, String status, String code) throws Exception {
    fault("{'lro':'%s','times':1}".formatted(lro));
    assertThat(send("PUT", at(POOL + VERSION), pool("1.1.1.1"), "If-Match", "W/\"x\"").statusCode())
        .isEqualTo(412);
    HttpResponse<String> accepted = put(POOL, pool("10.0.0.1"));
    assertThat(accepted.statusCode()).isEqualTo(201);
    HttpResponse<String> polled = send("GET", operation(accepted), "");
    assertThat(polled.statusCode()).isEqualTo(200);
    assertThat(json(polled.body()).path("status").asText()).isEqualTo(status);
    assertThat(polled.body()).contains(code);
    assertThat(get(POOL).body()).contains("\"provisioningState\":\"Failed\"", "10.0.0.1");
    HttpResponse<String> healing = put(POOL, pool("10.0.0.1"));
    assertThat(send("GET", operation(healing), "").body()).isEqualTo(SUCCEEDED);
    assertThat(get(POOL).body()).doesNotContain("Failed");
  }

  @Test
  void aStuckOperationRunsUntilItIsSuperseded() throws Exception {
    fault("{'lro':'stuck','times':1}");
    HttpResponse<String> stuck = put(POOL, pool("10.0.0.1"));
    for (int i = 0; i < 3; i++) {
      assertThat(send("GET", operation(stuck), "").body()).contains("InProgress");
    }
    HttpResponse<String> next = put(POOL, pool("10.0.0.2"));
    assertThat(send("GET", operation(stuck), "").body()).contains("Canceled");
    assertThat(send("GET", operation(next), "").body()).isEqualTo(SUCCEEDED);
  }

  @Test
  void anAnswerIsWithheldButTheWriteIsDone() throws Exception {
    fault("{'method':'PUT','answerMillis':600000,'times':1}");
    CompletableFuture<HttpResponse<String>> late =
        http.sendAsync(
            request("PUT", at(POOL) + VERSION, pool("10.0.0.1")), BodyHandlers.ofString());

    String read = "";
    for (int i = 0; i < 10_000 && !read.contains("10.0.0.1"); i++) {
      read = get(POOL).body();
    }
    assertThat(read).contains("10.0.0.1");
    assertThat(late).isNotDone();

    fault("{'method':'PUT','answerMillis':1,'times':1}");
    assertThat(put(POOL, pool("10.0.0.2")).statusCode()).isEqualTo(200);
  }

  @Test
  void aSlowOperationOutlastsItsPolls() throws Exception {
    fault("{'lro':'slow','lroMillis':600000,'times':1}");
    HttpResponse<String> slow = put(POOL, pool("10.0.0.1"));
    assertThat(slow.statusCode()).isEqualTo(201);
    assertThat(get(POOL).body()).contains("\"provisioningState\":\"Updating\"", "10.0.0.1");
    for (int i = 0; i < 3; i++) {
      assertThat(send("GET", operation(slow), "").body()).contains("InProgress");
    }

    fault("{'lro':'slow','lroMillis':1,'times':1}");
    HttpResponse<String> soon = put(POOL, pool("10.0.0.2"));
    String polled = "InProgress";
    for (int i = 0; i < 10_000 && polled.contains("InProgress"); i++) {
      polled = send("GET", operation(soon), "").body();
    }
    assertThat(polled).isEqualTo(SUCCEEDED);
  }

  @Test
  void pollsAreRefusedSomeTimesThenTellTheTruth() throws Exception {
    fault("{'lro':'poll429','polls':2,'retryAfter':'date:+20','times':1}");
    HttpResponse<String> accepted = put(POOL, pool("10.0.0.1"));
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> refused = send("GET", operation(accepted), "");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.body()).contains("Number of 'read' requests", "after '20' seconds");
      assertThat(header(refused, "Retry-After")).isEqualTo("Thu, 01 Jan 1970 00:00:20 GMT");
    }
    assertThat(send("GET", operation(accepted), "").body()).isEqualTo(SUCCEEDED);

    fault("{'lro':'poll5xx','code':'Oops','times':1}");
    HttpResponse<String> deleted = send("DELETE", at(POOL + VERSION), "");
    HttpResponse<String> refused = send("GET", header(deleted, "Location"), "");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(code(refused)).isEqualTo("Oops");
    assertThat(send("GET", header(deleted, "Location"), "").statusCode()).isEqualTo(204);
  }

  @Test
  void aLostWriteSucceedsAndIsNotThere() throws Exception {
    put(POOL, pool("10.0.0.1"));
    fault("{'lost':true,'times':1,'path':'/p$'}");
    HttpResponse<String> lost = put(POOL, pool("10.0.0.2"));
    assertThat(lost.statusCode()).isEqualTo(200);
    assertThat(lost.body()).contains("Updating", "10.0.0.2");
    assertThat(send("GET", operation(lost), "").body()).isEqualTo(SUCCEEDED);
    assertThat(get(POOL).body()).contains("10.0.0.1").doesNotContain("10.0.0.2");
  }

  @Test
  void aConnectionThatClosesBeforeTheAnswerBelongsToAWriteThatWasApplied() throws Exception {
    fault("{'method':'PUT','reset':'before','times':1}");
    String body = pool("10.0.0.9");
    String request =
        "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(POOL + VERSION, body.length(), body);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), sim.endpoint().getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      InputStream answer = socket.getInputStream();
      assertThatThrownBy(answer::read).isInstanceOf(SocketException.class);
    }
    assertThat(get(POOL).body()).contains("10.0.0.9");
    fault("{'method':'PUT','status':503,'reset':'before','times':1}");
    assertThatThrownBy(() -> put(POOL, pool("10.0.0.8"))).isInstanceOf(IOException.class);
    assertThat(get(POOL).body()).doesNotContain("10.0.0.8");
  }

  @ParameterizedTest
  @CsvSource({
    "429,SubscriptionRequestsThrottled,Number of 'write' requests for subscription 's'",
    "412,PreconditionFailed,PreconditionFailedEtagMismatch",
    "409,AnotherOperationInProgress,use uri: http://127.0.0.1",
    "500,InternalServerError,An error occurred.",
    "503,ServiceUnavailable,temporarily",
    "418,InjectedFault,Injected"
  })
  void aStatusWithoutABodyGetsAzuresOwn(int status, String code, String text) throws Exception {
    fault("{'status':%d,'times':1,'retryAfter':3}".formatted(status));
    HttpResponse<String> answer = put(POOL, pool("10.0.0.1"));
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(code(answer)).isEqualTo(code);
    assertThat(answer.body()).contains(text);
    assertThat(header(answer, "Retry-After")).isEqualTo("3");
    assertThat(sim.log().getLast().code()).isEqualTo(code);
    assertThat(sim.log().getLast().by().injected()).isTrue();
  }

  @Test
  void rulesComeInListsAllOrNoneAndAreListedWithWhatTheyDid() throws Exception {
    HttpResponse<String> refused = post("[{'status':500},{'stauts':1}]");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("[1]: fault rule:");
    assertThat(send("GET", at("/_faults"), "").body()).isEqualTo("[]");
    assertThat(post("[{'status':500,'times':2},{'delayMillis':0}]").body())
        .isEqualTo("{\"ids\":[\"1\",\"2\"]}");
    get(LB);
    assertThat(send("GET", at("/_faults"), "").body())
        .isEqualTo(
            "[{\"id\":\"1\",\"applied\":1,\"left\":1,\"rule\":{\"status\":500,\"times\":2}},"
                + "{\"id\":\"2\",\"applied\":0,\"rule\":{\"delayMillis\":0}}]");
    assertThat(send("DELETE", at("/_faults/1"), "").statusCode()).isEqualTo(204);
    assertThat(send("DELETE", at("/_faults/1"), "").statusCode()).isEqualTo(404);
    get(LB);
    assertThat(sim.log().getLast().by().rule()).contains(2L);
  }

  @Test
  void theLogCanBeFollowed() throws Exception {
    HttpResponse<String> accepted = put(POOL, pool("10.0.0.1"));
    send("GET", operation(accepted), "");
    String[] lines = send("GET", at("/_log?since=2"), "").body().split("\n", -1);
    assertThat(lines).hasSize(3);
    JsonNode write = json(lines[0]);
    assertThat(write.path("number").asInt()).isEqualTo(3);
    assertThat(write.path("etag").asText()).isEqualTo(json(accepted.body()).path("etag").asText());
    assertThat(json(lines[1]).path("path").asText()).contains("/operations/");
    assertThat(send("GET", at("/_log?since=x"), "").statusCode()).isEqualTo(400);
  }

  @Test
  void scenariosDoTheSameWithoutHttp() throws Exception {
    done(sim.addFault(FaultRule.parse(json("{\"status\":500}"))));
    assertThat(get(LB).statusCode()).isEqualTo(500);
    done(sim.dropFaults());
    done(sim.behave(Behavior.FAST.changed(json("{\"contention\":\"conflict\"}"))));
    put(POOL, pool("10.0.0.1"));
    assertThat(put(POOL, pool("10.0.0.2")).statusCode()).isEqualTo(409);
  }

  private void fault(String rule) throws Exception {
    assertThat(post(rule).statusCode()).isEqualTo(201);
  }

  private HttpResponse<String> post(String rules) throws Exception {
    return send("POST", at("/_faults"), rules.replace('\'', '"'));
  }

  private String behavior(String changes) throws Exception {
    HttpResponse<String> changed = send("PUT", at("/_behavior"), changes.replace('\'', '"'));
    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    return changed.body();
  }

  private static String operation(HttpResponse<?> response) {
    return header(response, "Azure-AsyncOperation");
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  private static String code(HttpResponse<String> response) {
    return json(response.body()).at("/error/code").asText();
  }

  private static JsonNode json(String text) {
    try {
      return new JsonMapper().readTree(text);
    } catch (JsonProcessingException wrong) {
      throw new AssertionError(text, wrong);
    }
  }
}
