package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.ScriptedArm.POOL;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL_BODY;
import static io.poolkeeper.arm.azure.ScriptedArm.QUICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.arm.ThrottledException;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbered throttle tests of spec 1 and what goes beyond, through the whole pipeline. */
class ThrottlePolicyTest {
  private static final PoolEdit EDIT =
      PoolEdit.of(Set.of(Address.of("10.0.0.1")), Map.of(Address.of("10.0.0.2"), "node-2"));
  private static final PoolId NEIGHBOUR = POOL.loadBalancer().pool("default-api");
  private static final PoolId ELSEWHERE =
      new LoadBalancerId("sub-1", "rg-1", "lb-2").pool("default-web");
  private static final String SLOW_DOWN =
      "{\"error\":{\"code\":\"SubscriptionRequestsThrottled\",\"message\":\"Slow down.\"}}";
  private static final String INTERFACE =
      "/subscriptions/sub-1/resourceGroups/MC_nodes/providers/Microsoft.Network"
          + "/networkInterfaces/vm-1-nic/ipConfigurations/ipconfig1";
  private static final String LOCKED =
      "{\"error\":{\"code\":\"RetryableError\",\"message\":\"A retryable error occurred.\"}}";

  /** The two clocks differ on purpose: what is read from one must not be taken for the other. */
  private static final Instant WALL = Instant.parse("2026-11-21T10:00:00Z");

  private volatile Instant now = Instant.parse("2001-01-01T00:00:00Z");
  private final ScriptedArm server = new ScriptedArm();
  private final AzureArm arm = connect(QUICK);

  private AzureArm connect(Limits limits) {
    return AzureArm.create(
        server.settings(),
        ScriptedArm.PATIENCE,
        ScriptedArm.LONGEST,
        ArmObserver.NONE,
        new Clocks(System::nanoTime, () -> now, () -> WALL, java.util.SplittableRandom::new),
        limits,
        client -> Optional.empty());
  }

  @AfterEach
  void stop() {
    arm.close();
    server.close();
  }

  private static ThrottledException throttled(CompletionStage<?> call) {
    Throwable error = catchThrowable(() -> call.toCompletableFuture().join());
    assertThat(error.getCause()).isInstanceOf(ThrottledException.class);
    return (ThrottledException) error.getCause();
  }

  private ThrottledException throttledGet(String... headers) {
    server.answers(429, SLOW_DOWN, headers);
    return throttled(arm.get(POOL, Instant.MAX));
  }

  private PoolDocument document() {
    server.answers(200, POOL_BODY);
    return arm.get(POOL, Instant.MAX).toCompletableFuture().join();
  }

  @Test
  @DisplayName("spec 1 throttle test 1: Retry-After in seconds")
  void get_retryAfterInSeconds_isThatMuchLater() {
    assertThat(throttledGet("Retry-After", "20").retryAfter()).isEqualTo(now.plusSeconds(20));
    assertThat(server.requests()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(mode = EXCLUDE, names = "NOTHING")
  void get_bodyOfThe429DoesNotEnd_closesTheGateThatItsHeadersAskFor(ScriptedArm.Rest rest) {
    server.answersPart(rest, 429, SLOW_DOWN, "Retry-After", "20");

    try (AzureArm soon = connect(ScriptedArm.quick(Duration.ofSeconds(2)))) {
      assertThat(throttled(soon.get(POOL, Instant.MAX)).retryAfter())
          .isEqualTo(now.plusSeconds(20));
      assertThat(throttled(soon.get(NEIGHBOUR, Instant.MAX)).failure().message())
          .startsWith("not sent");
    }
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  @DisplayName("spec 1 throttle test 2: Retry-After as a date")
  void get_retryAfterAsADate_isThatMuchLaterOnOurClock() {
    assertThat(throttledGet("Retry-After", "Sat, 21 Nov 2026 10:00:30 GMT").retryAfter())
        .isEqualTo(now.plusSeconds(30));
  }

  @Test
  @DisplayName("spec 1 throttle test 3: without Retry-After it is now")
  void get_noRetryAfter_isNow() {
    assertThat(throttledGet().retryAfter()).isEqualTo(now);

    assertThat(document()).isNotNull();
  }

  @Test
  @DisplayName("spec 1 throttle test 4: a Retry-After that says nothing leaves the gate as it was")
  void get_unreadableRetryAfter_leavesTheGateAsItWas() {
    assertThat(throttledGet("Retry-After", "soon").retryAfter()).isEqualTo(now);
    Instant before = throttledGet("Retry-After", "20").retryAfter();
    now = now.plusSeconds(25);

    assertThat(throttledGet("Retry-After", "1.5").retryAfter()).isEqualTo(before);
  }

  @Test
  @DisplayName("spec 1 throttle test 5: while the gate is closed nothing is sent")
  void get_gateIsClosed_isNotSent() {
    Instant until = throttledGet("Retry-After", "20").retryAfter();
    now = until.minusMillis(1);

    ThrottledException local = throttled(arm.get(POOL, Instant.MAX));

    assertThat(local.retryAfter()).isEqualTo(until).isAfter(now);
    assertThat(local.failure().held()).isTrue();
    assertThat(local.failure().message())
        .isEqualTo("not sent, as an earlier answer asked to wait 1 s more");
    assertThat(server.requests()).hasSize(1);
    now = until;
    assertThat(document()).isNotNull();
  }

  /** Other resource providers have limits of their own. */
  @Test
  void interface_throttledByItsProvider_closesNoGate() {
    server.answers(429, SLOW_DOWN.replace("Subscription", "Other"), "Retry-After", "20");

    assertThat(throttled(arm.machineOf(INTERFACE, Instant.MAX)).retryAfter())
        .isEqualTo(now.plusSeconds(20));

    assertThat(document()).isNotNull();
  }

  @Test
  void list_lockIsMet_closesTheGateOfListingsOnly() {
    server.answers(429, LOCKED, "Retry-After", "20");
    assertThat(Outcome.unlisted(arm.list(Set.of(), Instant.MAX)).kind()).isEqualTo(Kind.THROTTLED);

    assertThat(Outcome.unlisted(arm.list(Set.of(), Instant.MAX)).kind()).isEqualTo(Kind.THROTTLED);

    assertThat(server.requests()).hasSize(1);
    assertThat(document()).isNotNull();
  }

  @Test
  void interface_throttledByArmItself_closesTheGateOfReads() {
    server.answers(429, SLOW_DOWN, "Retry-After", "20");
    throttled(arm.machineOf(INTERFACE, Instant.MAX));

    throttled(arm.get(POOL, Instant.MAX));

    assertThat(server.requests()).hasSize(1);
  }

  @Test
  @DisplayName("spec 1 throttle tests 6 and 7: it is found as what it is, through any wrapping")
  void throttled_wrapped_isStillFoundWithItsTime() {
    ThrottledException error = throttledGet("Retry-After", "20");

    assertThat(error).isInstanceOf(ArmException.class);
    assertThat(error.failure().kind()).isEqualTo(Kind.THROTTLED);
    assertThat(error.failure().code()).isEqualTo("SubscriptionRequestsThrottled");
    var found = ArmException.failureIn(new RuntimeException(new RuntimeException(error)));
    assertThat(found.kind()).isEqualTo(Kind.THROTTLED);
    assertThat(found.retryAfter()).contains(now.plusSeconds(20));
  }

  @Test
  @DisplayName("spec 1 throttle test 8: its message is always the same")
  void throttled_message_isAlwaysTheSame() {
    ThrottledException sent = throttledGet("Retry-After", "20");
    ThrottledException local = throttled(arm.get(POOL, Instant.MAX));

    assertThat(sent).hasMessage(ThrottledException.MESSAGE);
    assertThat(local).hasMessage("too many requests");
  }

  @Test
  void gates_readersAndWriters_areApart() {
    PoolDocument document = document();
    server.answers(429, SLOW_DOWN, "Retry-After", "20");
    throttled(arm.put(document, EDIT, Instant.MAX));

    assertThat(document()).isNotNull();
    assertThat(throttled(arm.put(document, EDIT, Instant.MAX)).failure().message())
        .startsWith("not sent");
  }

  @Test
  void gate_ofASubscription_holdsEveryPoolAndTheListings() {
    throttledGet("Retry-After", "20");

    assertThat(throttled(arm.get(ELSEWHERE, Instant.MAX)).failure().message())
        .startsWith("not sent");
    assertThat(Outcome.unlisted(arm.list(Set.of(), Instant.MAX)).message()).startsWith("not sent");
  }

  @Test
  void gate_ofALock_holdsItsLoadBalancerOnly() {
    server.answers(429, LOCKED, "Retry-After", "20");
    assertThat(throttled(arm.get(POOL, Instant.MAX)).failure().code()).isEqualTo("RetryableError");

    assertThat(throttled(arm.get(NEIGHBOUR, Instant.MAX)).failure().message())
        .startsWith("not sent");
    server.answers(200, POOL_BODY.replace("lb-1", "lb-2"));
    assertThat(arm.get(ELSEWHERE, Instant.MAX).toCompletableFuture().join()).isNotNull();
  }

  /** Whether a 429 to a call about one load balancer holds a call about another one. */
  private boolean holdsElsewhere(String body, String... headers) {
    server.answers(429, body, headers);
    throttled(arm.get(POOL, Instant.MAX));
    assertThat(throttled(arm.get(NEIGHBOUR, Instant.MAX)).failure().message())
        .startsWith("not sent");
    return isHeld("lb-2");
  }

  private boolean isHeld(String loadBalancer) {
    server.answers(200, POOL_BODY.replace("lb-1", loadBalancer));
    PoolId pool = new LoadBalancerId("sub-1", "rg-1", loadBalancer).pool("default-web");
    return catchThrowable(() -> arm.get(pool, Instant.MAX).toCompletableFuture().join()) != null;
  }

  private static String body(String code, String... details) {
    return "{\"error\":{\"code\":\"%s\",\"message\":\"No.\",\"details\":[%s]}}"
        .formatted(
            code,
            Arrays.stream(details)
                .map("{\"code\":\"%s\",\"message\":\"Wait.\"}"::formatted)
                .collect(Collectors.joining(",")));
  }

  @ParameterizedTest
  @CsvSource({
    "RetryableError, RetryableErrorDueToTooManyCalls, true",
    "RetryableError, RetryableErrorDueToTooManyCallsToThisOperation, true",
    "RetryableError, RetryableErrorDueTooHighReadDataSize, true",
    "AnyOther, RetryableErrorDueToTooManyCalls, true",
    "TooManyRequests, '', true",
    "SubscriptionRequestsThrottled, '', true",
    "RetryableError, '', false",
    "RetryableError, RetryableErrorDueToAnotherOperation, false",
    "RetryableError, GatewayError, false",
    "RetryableError, ReferencedResourceNotProvisioned, false",
    "RetryableError, RetryableErrorDueToRequestTimedOut, false",
    "RetryableError, RetryableErrorDueToBatchQueueTimeout, false",
    "RetryableError, SomethingNew, false",
    "SomethingNew, '', false"
  })
  void gate_ofACode_isTheSubscriptionsForAQuotaElseTheLoadBalancers(
      String code, String detail, boolean subscription) {
    String[] details = detail.isEmpty() ? new String[0] : new String[] {"Before", detail};

    assertThat(holdsElsewhere(body(code, details), "Retry-After", "25")).isEqualTo(subscription);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"error\":{\"code\":", "{\"Error\":{\"Code\":"})
  void row1_aQuotaInTheFormOfALock_closesTheGateOfAllWrites(String form) {
    boolean pascal = form.contains("E");
    String all =
        form
            + "\"RetryableError\",\"details\":[{\"code\":\"RetryableErrorDueToTooManyCalls\","
            + "\"message\":\"The call can be retried in 25 seconds.\"}]}}";
    String body =
        pascal
            ? all.replace("\"details\"", "\"Details\"")
                .replace("\"code\"", "\"Code\"")
                .replace("\"message\"", "\"Message\"")
            : all;
    PoolDocument here = document();
    server.answers(200, POOL_BODY.replace("lb-1", "lb-2"));
    PoolDocument there = arm.get(ELSEWHERE, Instant.MAX).toCompletableFuture().join();
    server.answers(429, body, "Retry-After", "25");
    throttled(arm.put(here, EDIT, Instant.MAX));

    ThrottledException held = throttled(arm.put(there, EDIT, Instant.MAX));

    assertThat(held.retryAfter()).isEqualTo(now.plusSeconds(25));
    assertThat(server.requests()).hasSize(3);
  }

  @Test
  void gate_thatTheGatewayClosed_isTheSubscriptionsWhateverTheCode() {
    assertThat(holdsElsewhere(body("New"), "Retry-After", "25", "x-ms-failure-cause", "Gateway"))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, true", "9999, true", "10000, false"})
  void gate_ofAnUnknownCode_isTheSubscriptionsAfterASecondLoadBalancerSoon(
      int millis, boolean subscription) {
    server.answers(429, body("New"), "Retry-After", "25");
    throttled(arm.get(POOL, Instant.MAX));
    now = now.plusMillis(millis);
    server.answers(429, body("New"), "Retry-After", "25");
    throttled(arm.get(ELSEWHERE, Instant.MAX));

    assertThat(isHeld("lb-3")).isEqualTo(subscription);
  }

  @Test
  void gate_answersThatOverlap_neverShortens() {
    var gates = new ThrottlePolicy(Duration.ofMinutes(15), ArmObserver.NONE, ScriptedArm.CLOCKS);
    var gate = Gate.subscription(false);
    var writes = Gate.subscription(true);

    assertThat(gates.close(gate, now.plusSeconds(20), now)).isEqualTo(now.plusSeconds(20));
    assertThat(gates.close(gate, now.plusSeconds(5), now)).isEqualTo(now.plusSeconds(20));
    assertThat(gates.close(gate, now.plusSeconds(30), now)).isEqualTo(now.plusSeconds(30));
    assertThat(gates.close(writes, now, now)).isEqualTo(now);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 502, 503, 504})
  void call_statusThatMayPass_isRepeatedInsideTheCall(int status) {
    server.answers(status, "").answers(200, POOL_BODY);

    assertThat(arm.get(POOL, Instant.MAX).toCompletableFuture().join()).isNotNull();
  }

  @Test
  void call_throttledWhileItRepeats_isNotRepeatedAgainstTheGate() {
    server.answers(503, "").answers(429, SLOW_DOWN, "Retry-After", "0");

    throttled(arm.get(POOL, Instant.MAX));

    assertThat(server.requests()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "0, PT0S, false",
    "20, PT20S, false",
    "+20, PT20S, false",
    "900, PT15M, false",
    "901, PT15M, true",
    "-1, PT0S, true",
    "99999999999999999999999999, PT15M, true",
    "-99999999999999999999999999, PT0S, true",
    "'Sat, 21 Nov 2026 10:00:00 GMT', PT0S, false",
    "'Sat, 21 Nov 2026 10:15:00 GMT', PT15M, false",
    "'Sat, 21 Nov 2026 10:15:01 GMT', PT15M, true",
    "'Thu, 01 Jan 1970 00:00:00 GMT', PT0S, true",
    "'Fri, 31 Dec 9999 23:59:59 GMT', PT15M, true"
  })
  void retryAfter_howeverAbsurd_isClamped(String header, Duration delay, boolean clamped) {
    assertThat(RetryAfter.parse(header, WALL, Duration.ofMinutes(15)))
        .contains(new RetryAfter(delay, clamped));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "1.5", "1e3", "0x10", "20 s", "2026-11-21T10:00:00Z"})
  void retryAfter_neitherSecondsNorDate_saysNothing(String header) {
    assertThat(RetryAfter.parse(header, WALL, Duration.ofMinutes(15))).isEmpty();
  }
}
