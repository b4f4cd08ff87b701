package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Requester;
import io.poolkeeper.turnstile.TurnstileEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker's books say what is wrong, and nothing of what is right. */
class CheckerBooksTest {
  private static final Instant NOW = Timeline.START;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final PoolId POOL =
      new LoadBalancerId(Swarm.SUBSCRIPTION, Swarm.GROUP, "lb-1").pool("web");
  private static final Requester VISITOR = new Requester(POOL, 1);
  private static final ArmCall GET = call("GET", POOL.path());
  private static final ArmCall PUT = call("PUT", POOL.path());

  private final CallBook calls = new CallBook();
  private final TurnBook turns = new TurnBook();
  private final GateBook gates = new GateBook(MINUTE);

  private static ArmCall call(String method, String path) {
    return SimAzure.call(method, Swarm.ENDPOINT + path + "?api-version=2025-05-01", Map.of(), "");
  }

  private static TurnstileEffect.Grant grant(Lane lane, Duration waited) {
    return new TurnstileEffect.Grant(
        VISITOR, 7, lane, NOW.plus(MINUTE), false, waited, Duration.ZERO);
  }

  @Test
  void counted_whatWasSentAndAnswered_isRight() {
    calls.sent(PUT);
    calls.arrived(PUT, 202);

    assertThat(calls.counted("put", 202)).isEmpty();
    assertThat(calls.uncounted()).isZero();
  }

  @Test
  void counted_twice_isWrong() {
    calls.sent(GET);

    assertThat(calls.counted("get", 0)).isEmpty();
    assertThat(calls.counted("get", 0)).contains("counts a call of kind get that was not made");
  }

  @Test
  void counted_withAStatusThatDidNotArrive_isWrong() {
    calls.sent(GET);
    calls.arrived(GET, 200);

    assertThat(calls.counted("get", 404))
        .contains("counts an answer 404 to get that did not arrive");
  }

  @Test
  void uncounted_aPollThatNobodyCounted_isOne() {
    calls.sent(call("GET", "/subscriptions/sub/providers/Microsoft.Network/locations/x/y/z"));

    assertThat(calls.uncounted()).isOne();
    assertThat(calls.counted("poll", 0)).isEmpty();
  }

  @Test
  void granted_inTheLaneAskedForAfterTheTimeWaited_isRight() {
    turns.asked(VISITOR, Lane.UPDATE, NOW);
    turns.asked(VISITOR, Lane.RETRY, NOW.plusSeconds(2));

    assertThat(turns.granted(grant(Lane.RETRY, Duration.ofSeconds(3)), NOW.plusSeconds(3)))
        .isEmpty();
  }

  @Test
  void granted_toWhoHasLeft_isWrong() {
    turns.asked(VISITOR, Lane.UPDATE, NOW);
    turns.left(VISITOR);

    assertThat(turns.granted(grant(Lane.UPDATE, Duration.ZERO), NOW))
        .contains("has a turn that it did not ask for");
  }

  @Test
  void granted_inAnotherLaneOrAfterAnotherTime_isWrong() {
    turns.asked(VISITOR, Lane.UPDATE, NOW);
    assertThat(turns.granted(grant(Lane.RETRY, Duration.ZERO), NOW)).isPresent();

    turns.asked(VISITOR, Lane.UPDATE, NOW);
    assertThat(turns.granted(grant(Lane.UPDATE, MINUTE), NOW)).isPresent();
  }

  @Test
  void heldBack_whileNobodyRetries_isWrong() {
    turns.asked(VISITOR, Lane.UPDATE, NOW);
    assertThat(turns.heldBack()).isPresent();

    turns.asked(VISITOR, Lane.REPAIR, NOW);
    assertThat(turns.heldBack()).isEmpty();
  }

  @Test
  void closed_aSecondShorterWait_leavesTheLongerOne() {
    gates.close(GET.path(), false, throttled("40"), NOW, NOW);
    gates.close(GET.path(), false, throttled("10"), NOW, NOW);

    assertThat(gates.closed(GET.path(), false, NOW.plusMillis(39_999))).isPresent();
    assertThat(gates.closed(GET.path(), false, NOW.plusSeconds(40))).isEmpty();
  }

  @Test
  void closed_readers_leavesWritersAlone() {
    gates.close(GET.path(), false, throttled("40"), NOW, NOW);

    assertThat(gates.closed(PUT.path(), true, NOW)).isEmpty();
  }

  @Test
  void closed_anAbsurdWaitOrADate_isBoundedOrMeasured() {
    gates.close(GET.path(), false, throttled("99999"), NOW, NOW);
    gates.close(PUT.path(), true, throttled("Sat, 21 Nov 2026 10:00:30 GMT"), NOW, NOW);

    assertThat(gates.closed(GET.path(), false, NOW.plusSeconds(59))).isPresent();
    assertThat(gates.closed(GET.path(), false, NOW.plus(MINUTE))).isEmpty();
    assertThat(gates.closed(PUT.path(), true, NOW.plusSeconds(29))).isPresent();
    assertThat(gates.closed(PUT.path(), true, NOW.plusSeconds(30))).isEmpty();
  }

  @Test
  void closed_aLockOfOneLoadBalancer_leavesOthersOpen() {
    ArmPath other =
        ArmPath.parse(
            new LoadBalancerId(Swarm.SUBSCRIPTION, Swarm.GROUP, "lb-2").pool("web").path());
    gates.close(PUT.path(), true, answer("RetryableErrorDueToAnotherOperation", "40"), NOW, NOW);

    assertThat(gates.closed(PUT.path(), true, NOW)).isPresent();
    assertThat(gates.closed(other, true, NOW)).isEmpty();
  }

  private static ArmAnswer throttled(String retryAfter) {
    return answer("TooManyRequests", retryAfter);
  }

  private static ArmAnswer answer(String code, String retryAfter) {
    return ArmAnswer.provider(429, code, "slow down").with("Retry-After", retryAfter);
  }
}
