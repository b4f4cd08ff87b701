package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.E;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a load balancer or the whole subscription has to wait: unresolved writes and gates. */
class TurnstileSettlingTest {
  private final TurnstileDriver turnstile = TurnstileDriver.wide();

  /** The visitor takes its turn when the timer says so, and gives it back. */
  private Grant lookAndReturn(TurnResult result) {
    turnstile.fire();
    Grant grant = turnstile.grants().getFirst();
    turnstile.giveBack(A, grant.turn(), result);
    turnstile.request(A, Lane.UPDATE);
    return grant;
  }

  private void unresolvedAtT0(TurnResult result) {
    turnstile.request(A, Lane.UPDATE);
    turnstile.giveBack(A, 1, result);
    turnstile.request(A, Lane.UPDATE);
  }

  /** Waits for the turn, gives it back at once, and says how long it took. */
  private Duration turn(TurnResult result) {
    Instant asked = turnstile.now();
    turnstile.request(A, Lane.UPDATE);
    while (turnstile.grants().isEmpty()) {
      turnstile.fire();
    }
    turnstile.giveBack(A, turnstile.grants().getFirst().turn(), result);
    return Duration.between(asked, turnstile.now());
  }

  @Test
  void returned_stillBeingWritten_isLookedAtMoreAndMoreSeldom() {
    turn(TurnResult.UNRESOLVED);

    assertThat(turn(TurnResult.OTHER_WRITER)).isEqualTo(Duration.ofSeconds(1));
    assertThat(turn(TurnResult.FAILED)).isEqualTo(Duration.ofSeconds(2));
    assertThat(turn(TurnResult.OTHER_WRITER)).isEqualTo(Duration.ofSeconds(4));
    assertThat(turn(TurnResult.SUCCEEDED)).isEqualTo(Duration.ofSeconds(8));
    assertThat(turn(TurnResult.SUCCEEDED)).isZero();
  }

  /** There would have been no write if the one before it had still been running. */
  @Test
  void returned_anotherWriteWithoutAnEnd_beginsAnew() {
    turn(TurnResult.UNRESOLVED);

    assertThat(turn(TurnResult.UNRESOLVED)).isEqualTo(Duration.ofSeconds(1));
    assertThat(turn(TurnResult.UNRESOLVED)).isEqualTo(Duration.ofSeconds(1));
    assertThat(turnstile.view().settling())
        .extracting(TurnstileView.Settling::until)
        .containsExactly(turnstile.now().plus(Duration.ofMinutes(5)));
  }

  @ParameterizedTest
  @EnumSource(names = {"UNRESOLVED", "OTHER_WRITER", "SUPERSEDED"})
  void settling_everyLookInVain_comesAfterTwiceTheTimeUpTo30Seconds(TurnResult result) {
    unresolvedAtT0(result);
    long[] expected = {1, 3, 7, 15, 31, 61, 91, 121, 151, 181, 211, 241, 271};
    for (long seconds : expected) {
      assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(seconds));
      assertThat(lookAndReturn(TurnResult.OTHER_WRITER).evenIfUpdating()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED", "CONFLICT"})
  void returned_noWriteCanRun_isFreeAtOnce(TurnResult result) {
    turn(result);

    assertThat(turn(TurnResult.SUCCEEDED)).isZero();
  }

  @Test
  void settling_nextWriteHasNoEndEither_isLookedAtSoonAgain() {
    unresolvedAtT0(TurnResult.UNRESOLVED);

    lookAndReturn(TurnResult.UNRESOLVED);

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(2));
  }

  @Test
  void settling_limitIsOver_writesAllTheSameAndStartsAnew() {
    unresolvedAtT0(TurnResult.OTHER_WRITER);
    for (int look = 0; look < 13; look++) {
      lookAndReturn(TurnResult.OTHER_WRITER);
    }

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(301));
    assertThat(lookAndReturn(TurnResult.OTHER_WRITER).evenIfUpdating()).isTrue();

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(302));
    assertThat(lookAndReturn(TurnResult.OTHER_WRITER).evenIfUpdating()).isFalse();
  }

  @Test
  void settling_limitExactlyOver_writesAllTheSame() {
    unresolvedAtT0(TurnResult.UNRESOLVED);
    turnstile.cancel(A);
    turnstile.after(Duration.ofMinutes(5).minusNanos(1)).request(A, Lane.UPDATE);
    assertThat(turnstile.grants().getFirst().evenIfUpdating()).isFalse();
    turnstile.giveBack(A, 2, TurnResult.FAILED);

    turnstile.after(Duration.ofSeconds(2)).request(A, Lane.UPDATE);

    assertThat(turnstile.grants().getFirst().evenIfUpdating()).isTrue();
  }

  @Test
  void settling_endsWell_nextTurnIsFreeAtOnce() {
    unresolvedAtT0(TurnResult.UNRESOLVED);
    turnstile.request(B, Lane.UPDATE);
    turnstile.fire();

    assertThat(turnstile.giveBack(A, 2, TurnResult.SUCCEEDED).granted()).containsExactly(B);
    assertThat(turnstile.state().queues().values())
        .singleElement()
        .matches(line -> line.settling().isEmpty());
  }

  @Test
  void settling_endsBadly_isStillUnresolved() {
    unresolvedAtT0(TurnResult.UNRESOLVED);
    turnstile.request(B, Lane.UPDATE);
    turnstile.fire();

    assertThat(turnstile.giveBack(A, 2, TurnResult.FAILED).granted()).isEmpty();
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(3));
  }

  @Test
  void settling_neighbour_isNotConcerned() {
    unresolvedAtT0(TurnResult.UNRESOLVED);

    assertThat(turnstile.request(C, Lane.UPDATE).granted()).containsExactly(C);
  }

  @Test
  void throttled_oneLoadBalancer_closesItAloneAndNeverForLess() {
    turnstile.throttle("lb-1", Duration.ofSeconds(30));
    turnstile.throttle("lb-1", Duration.ofSeconds(10));

    assertThat(turnstile.request(A, Lane.DRAIN).granted()).isEmpty();
    assertThat(turnstile.request(C, Lane.REPAIR).granted()).containsExactly(C);
    turnstile.giveBack(C, 1, TurnResult.SUCCEEDED);
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));
    assertThat(turnstile.fire().granted()).containsExactly(A);
  }

  @Test
  void throttled_whileTheTurnIsOut_countsAfterItsReturn() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);
    turnstile.throttle("lb-1", Duration.ofSeconds(30));

    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).isEmpty();
    assertThat(turnstile.fire().granted()).containsExactly(B);
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(30));
  }

  @Test
  void throttled_whileWaitingForAnother_isExtended() {
    turnstile.throttle("lb-1", Duration.ofSeconds(10));
    turnstile.throttle("lb-2", Duration.ofSeconds(10));
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(C, Lane.UPDATE);
    turnstile.throttle("lb-1", Duration.ofSeconds(20));

    assertThat(turnstile.fire().granted()).containsExactly(C);
    turnstile.giveBack(C, 1, TurnResult.SUCCEEDED);
    assertThat(turnstile.fire().granted()).containsExactly(A);
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(20));
  }

  @Test
  void throttled_nobodyWaits_wakesOnceToTellOfTheEnd() {
    turnstile.throttle("lb-1", Duration.ofSeconds(30));
    turnstile.throttle(true, Duration.ofSeconds(30));

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));
    assertThat(turnstile.fire().granted()).isEmpty();

    assertThat(turnstile.wakeAt()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void throttled_subscription_stopsEveryLaneAndOpensSlowly(boolean write) {
    turnstile.throttle(write, Duration.ofSeconds(30));
    assertThat(turnstile.request(A, Lane.DRAIN).granted()).isEmpty();
    assertThat(turnstile.request(C, Lane.UPDATE).granted()).isEmpty();
    assertThat(turnstile.request(E, Lane.DRAIN_RETRY).granted()).isEmpty();
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));

    assertThat(turnstile.fire().granted()).containsExactly(A);
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(31));
    assertThat(turnstile.fire().granted()).containsExactly(C, E);
  }

  @Test
  void listing_writerGateClosed_mayGo() {
    turnstile.throttle(true, Duration.ofSeconds(30));

    turnstile.requestListing();

    assertThat(turnstile.ordered()).containsExactly(new TurnstileEffect.GrantListing());
  }

  @Test
  void listing_readerGateClosed_waitsForIt() {
    turnstile.throttle(false, Duration.ofSeconds(30));
    turnstile.requestListing();
    assertThat(turnstile.ordered()).isEmpty();

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));
    turnstile.fire();

    assertThat(turnstile.ordered()).containsExactly(new TurnstileEffect.GrantListing());
    assertThat(turnstile.wakeAt()).isEmpty();
  }

  @Test
  void listing_askedForTwice_isGrantedOnce() {
    turnstile.throttle(false, Duration.ofSeconds(30));
    turnstile.requestListing();
    turnstile.requestListing();

    turnstile.fire();

    assertThat(turnstile.ordered()).containsExactly(new TurnstileEffect.GrantListing());
  }

  @Test
  void listing_turnsAreOut_needsNone() {
    TurnstileDriver one = TurnstileDriver.with(100, 100, 1);
    one.request(A, Lane.UPDATE);

    one.requestListing();

    assertThat(one.ordered()).containsExactly(new TurnstileEffect.GrantListing());
  }
}
