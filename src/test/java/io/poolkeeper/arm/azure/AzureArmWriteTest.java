package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.failure;
import static io.poolkeeper.arm.azure.Outcome.value;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL_BODY;
import static io.poolkeeper.arm.azure.ScriptedArm.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolEdit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing a pool and following the operation to its end, whatever the end is. */
class AzureArmWriteTest {
  private static final PoolEdit EDIT =
      PoolEdit.of(Set.of(Address.of("10.0.0.1")), Map.of(Address.of("10.0.0.2"), "node-2"));
  private static final String IN_PROGRESS = "{\"status\":\"InProgress\"}";
  private static final String DONE = "{\"status\":\"Succeeded\"}";

  private final ScriptedArm server = new ScriptedArm();
  private final List<String> observed = new CopyOnWriteArrayList<>();
  private final AzureArm arm = arm(ScriptedArm.PATIENCE);

  private AzureArm arm(Duration deadline) {
    return AzureArm.create(
        server.settings(),
        deadline,
        ScriptedArm.LONGEST,
        (call, status, took) -> observed.add(call + " " + status),
        ScriptedArm.CLOCKS,
        QUICK,
        client -> Optional.empty());
  }

  /** Reads the pool and forgets the request for it. */
  private PoolDocument document() {
    return document(arm);
  }

  private PoolDocument document(AzureArm reader) {
    server.answers(200, POOL_BODY);
    PoolDocument document = value(reader.get(POOL, Instant.MAX));
    server.requests().clear();
    observed.clear();
    return document;
  }

  @AfterEach
  void stop() {
    arm.close();
    server.close();
  }

  @Test
  void put_acceptedWrite_isFollowedToItsEnd() throws IOException {
    PoolDocument document = document();
    server.accepts().answers(200, IN_PROGRESS).answers(200, IN_PROGRESS, "Retry-After", "0");
    server.answers(200, DONE);

    value(arm.put(document, EDIT, Instant.MAX));

    assertThat(observed).containsExactly("put 200", "poll 200", "poll 200", "poll 200");
    ScriptedArm.Request put = server.requests().getFirst();
    assertThat(put.uri()).isEqualTo(POOL.path() + "?api-version=2025-05-01");
    assertThat(put.headers().getFirst("Content-Type")).isEqualTo("application/json");
    assertThat(put.headers().getFirst("If-Match")).isEqualTo("W/\"e1\"");
    JsonNode body = new ObjectMapper().readTree(put.body());
    assertThat(body.at("/properties/loadBalancerBackendAddresses").toString())
        .isEqualTo("[{\"name\":\"node-2\",\"properties\":{\"ipAddress\":\"10.0.0.2\"}}]");
    assertThat(body.has("etag")).isFalse();
  }

  @Test
  void put_poll_echoesTheUrlAndSendsNoIfMatch() {
    PoolDocument document = document();
    server.accepts().answers(200, DONE);

    value(arm.put(document, EDIT, Instant.MAX));

    ScriptedArm.Request poll = server.requests().getLast();
    assertThat(poll.method()).isEqualTo("GET");
    assertThat(poll.uri()).isEqualTo("/operations/1?api-version=x&s=%2Fsig%3D");
    assertThat(poll.headers()).doesNotContainKey("If-match");
  }

  @Test
  void put_documentWithoutEtag_sendsNoIfMatch() {
    server.answers(200, "{\"properties\":{}}");
    PoolDocument document = value(arm.get(POOL, Instant.MAX));
    server.answers(201, "{\"properties\":{\"provisioningState\":\"Succeeded\"}}");

    value(arm.put(document, EDIT, Instant.MAX));

    assertThat(server.requests().getLast().headers()).doesNotContainKey("If-match");
  }

  @Test
  void put_answeredSucceeded_isNotPolled() {
    PoolDocument document = document();
    server.answers(
        200,
        "{\"properties\":{\"provisioningState\":\"Succeeded\"}}",
        "Azure-AsyncOperation",
        "{base}/operations/1");

    value(arm.put(document, EDIT, Instant.MAX));

    assertThat(server.methods()).containsExactly("PUT");
  }

  @Test
  void put_etagMismatch_namesTheExactCode() {
    PoolDocument document = document();
    server.answers(
        412,
        """
        {"error":{"code":"PreconditionFailed","message":"Precondition failed.","details":[
         {"code":"PreconditionFailedEtagMismatch","message":"Etag does not match."}]}}\
        """);

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.RESPONSE);
    assertThat(failure.status()).isEqualTo(412);
    assertThat(failure.code()).isEqualTo("PreconditionFailedEtagMismatch");
  }

  @Test
  void put_serverBusyOnce_isRepeatedWithTheSameBodyAndEtag() {
    PoolDocument document = document();
    server.answers(503, "").accepts().answers(200, DONE);

    value(arm.put(document, EDIT, Instant.MAX));

    assertThat(observed).containsExactly("put 503", "put 200", "poll 200");
    ScriptedArm.Request first = server.requests().get(0);
    ScriptedArm.Request second = server.requests().get(1);
    assertThat(second.body()).isEqualTo(first.body()).isNotEmpty();
    assertThat(second.headers().get("If-Match")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 409, 412, 429})
  void put_refusedAfterAServerError_leavesTheFirstTryInDoubt(int status) {
    PoolDocument document = document();
    server.answers(503, "").answers(status, "{\"error\":{\"code\":\"No\",\"message\":\"no\"}}");

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.status()).isEqualTo(status);
    assertThat(failure.code()).isEqualTo("No");
    assertThat(failure.inDoubt()).isTrue();
    assertThat(failure.permitResult(true)).isEqualTo(PermitResult.UNRESOLVED);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 409, 412, 429})
  void put_refusedAtOnce_leavesNoDoubt(int status) {
    PoolDocument document = document();
    server.answers(status, "{\"error\":{\"code\":\"No\",\"message\":\"no\"}}");

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.inDoubt()).isFalse();
    assertThat(failure.permitResult(true)).isNotEqualTo(PermitResult.UNRESOLVED);
  }

  @Test
  void get_refusedAfterAServerError_isInNoDoubt() {
    server.answers(503, "").answers(412, "");

    assertThat(failure(arm.get(POOL, Instant.MAX)).inDoubt()).isFalse();
  }

  @Test
  void put_throttled_isNeverRepeated() {
    PoolDocument document = document();
    server.answers(
        429,
        """
        {"error":{"code":"RetryableError","message":"A retryable error occurred.","details":[
         {"code":"ReferencedResourceNotProvisioned","message":"Resource is in Updating state."}]}}\
        """,
        "Retry-After",
        "1");

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
    assertThat(failure.status()).isEqualTo(429);
    assertThat(failure.code()).isEqualTo("ReferencedResourceNotProvisioned");
    assertThat(failure.message()).contains("ReferencedResourceNotProvisioned");
    assertThat(server.methods()).containsExactly("PUT");
  }

  @ParameterizedTest
  @CsvSource({
    "Failed,InternalServerError,OPERATION",
    "Canceled,CanceledAndSupersededDueToAnotherOperation,CANCELED"
  })
  void put_operationEndsBadly_hasTheServersCode(String status, String code, Kind kind) {
    PoolDocument document = document();
    server
        .accepts()
        .answers(
            200,
            """
            {"status":"%s","error":{"code":"%s","message":"It ended.","details":[
             {"code":"%s","message":"The reason."}]}}\
            """
                .formatted(status, status.equals("Canceled") ? "Canceled" : code, code),
            "x-ms-request-id",
            "poll");

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.message()).contains(status, "It ended.", "The reason.");
    assertThat(failure.ids().request()).isEqualTo("poll");
  }

  @Test
  void put_operationFailsWithoutReason_hasTheStatusAsCode() {
    PoolDocument document = document();
    server.accepts().answers(200, "{\"status\":\"Canceled\"}");

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.CANCELED);
    assertThat(failure.code()).isEqualTo("Canceled");
  }

  @Test
  void put_pollAnsweredConflictBecauseSuperseded_isCanceled() {
    PoolDocument document = document();
    server
        .accepts()
        .answers(409, "{\"error\":{\"code\":\"CanceledAndSupersededDueToAnotherOperation\"}}");

    assertThat(failure(arm.put(document, EDIT, Instant.MAX)).kind()).isEqualTo(Kind.CANCELED);
  }

  @Test
  void put_operationNeverEnds_isUnresolvedAtTheDeadline() {
    try (AzureArm hasty = arm(Duration.ofSeconds(1))) {
      PoolDocument document = document(hasty);
      server.accepts("Retry-After", "60");

      CompletionStage<Void> put = hasty.put(document, EDIT, Instant.MAX);

      ArmFailure failure = failure(put);

      assertThat(failure.kind()).isEqualTo(Kind.UNRESOLVED);
      assertThat(failure.message()).contains("it has not ended within the turn");
      assertThat(server.methods()).containsExactly("PUT");
    }
  }

  @Test
  void put_pollThrottled_isUnresolvedAtOnce() {
    PoolDocument document = document();
    String busy = "{\"error\":{\"code\":\"TooManyRequests\",\"message\":\"m\"}}";
    server.accepts().answers(429, busy, "x-ms-request-id", "poll");

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.UNRESOLVED);
    assertThat(failure.status()).isEqualTo(429);
    assertThat(failure.code()).isEqualTo("TooManyRequests");
    assertThat(failure.ids().request()).isEqualTo("poll");
    assertThat(server.methods()).containsExactly("PUT", "GET");
  }

  @Test
  void put_pollKeepsFailing_isUnresolved() {
    PoolDocument document = document();
    server.accepts();
    serverErrors(2);

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.UNRESOLVED);
    assertThat(failure.status()).isEqualTo(500);
  }

  @Test
  void put_onePollFails_isPolledAgain() {
    PoolDocument document = document();
    server.accepts();
    serverErrors(1);
    server.answers(200, IN_PROGRESS);
    serverErrors(1);
    server.answers(200, DONE);

    value(arm.put(document, EDIT, Instant.MAX));

    assertThat(server.requests()).hasSize(1 + 2 * (QUICK.retries() + 2));
  }

  /** As many as end so many polls, in-call retries included. */
  private void serverErrors(int polls) {
    for (int i = 0; i < polls * (QUICK.retries() + 1); i++) {
      server.answers(500, "");
    }
  }

  @Test
  void put_permitEndsBeforeTheOperation_isUnresolvedAndNothingIsSentAfterIt() {
    PoolDocument document = document();
    server.accepts("Retry-After", "60");

    ArmFailure failure =
        failure(arm.put(document, EDIT, ScriptedArm.CLOCKS.monotonic().instant().plusSeconds(1)));

    assertThat(failure.kind()).isEqualTo(Kind.UNRESOLVED);
    assertThat(server.methods()).containsExactly("PUT");
  }

  @Test
  void get_permitIsOver_isGivenUp() {
    assertThat(failure(arm.get(POOL, Instant.EPOCH)).kind()).isEqualTo(Kind.TRANSPORT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<html/>", "{}", "{\"status\":7}", "{\"status\":\"Succ"})
  void put_unreadablePoll_isUnresolved(String body) {
    PoolDocument document = document();
    server.accepts().answers(200, body);

    assertThat(failure(arm.put(document, EDIT, Instant.MAX)).kind()).isEqualTo(Kind.UNRESOLVED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.2/operations/1",
        "https://127.0.0.1/operations/1",
        "http://127.0.0.1:1/operations/1",
        "{base}@example.invalid/operations/1",
        "/operations/1",
        "not a url"
      })
  void put_operationAtAnotherHost_isNotFollowed(String url) {
    PoolDocument document = document();
    server.answers(
        200, "{\"properties\":{\"provisioningState\":\"Updating\"}}", "Azure-AsyncOperation", url);

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.UNRESOLVED);
    assertThat(failure.message()).contains("not followed to another host");
    assertThat(server.methods()).containsExactly("PUT");
  }

  @Test
  void put_updatingWithoutOperation_isUnresolved() {
    PoolDocument document = document();
    server.answers(200, "{\"properties\":{\"provisioningState\":\"Updating\"}}");

    assertThat(failure(arm.put(document, EDIT, Instant.MAX)).kind()).isEqualTo(Kind.UNRESOLVED);
  }

  @Test
  void put_acceptedWithUnreadableBody_isFollowedIfThereIsAnOperation() {
    PoolDocument document = document();
    server.answers(200, "<html>", "Azure-AsyncOperation", "{base}/op").answers(200, DONE);
    value(arm.put(document, EDIT, Instant.MAX));
    server.answers(200, "<html>");

    assertThat(failure(arm.put(document, EDIT, Instant.MAX)).kind()).isEqualTo(Kind.UNRESOLVED);
  }
}
