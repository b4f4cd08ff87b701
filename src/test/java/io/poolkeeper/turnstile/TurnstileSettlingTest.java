package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.E;
import static io.poolkeeper.turnstile.TurnstileDriver.LB1;
import static io.poolkeeper.turnstile.TurnstileDriver.LB2;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a load balancer or the whole subscription has to wait: unresolved writes and gates. */
class TurnstileSettlingTest {
  private final TurnstileDriver turnstile = TurnstileDriver.wide();
  private long turn;

  /** The visitor takes its turn when the timer says so, and gives it back. */
  private Grant lookAndReturn(TurnResult result) {
    turnstile.fire();
    Grant grant = (Grant) turnstile.effects().getFirst();
    turn = grant.turn();
    turnstile.giveBack(A, turn, result);
    turnstile.request(A, Lane.UPDATE);
    return grant;
  }

  private void unresolvedAtT0(TurnResult result) {
    turnstile.request(A, Lane.UPDATE);
    turnstile.giveBack(A, 1, result);
    turnstile.request(A, Lane.UPDATE);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNRESOLVED", "OTHER_WRITER"})
  void settling_everyLookInVain_comesAfterTwiceTheTimeUpTo30Seconds(TurnResult result) {
    unresolvedAtT0(result);
    long[] expected = {1, 3, 7, 15, 31, 61, 91, 121, 151, 181, 211, 241, 271};
    for (long seconds : expected) {
      assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(seconds));
      assertThat(lookAndReturn(TurnResult.OTHER_WRITER).evenIfUpdating()).isFalse();
    }
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
    assertThat(((Grant) turnstile.effects().getFirst()).evenIfUpdating()).isFalse();
    turnstile.giveBack(A, 2, TurnResult.FAILED);

    turnstile.after(Duration.ofSeconds(2)).request(A, Lane.UPDATE);

    assertThat(((Grant) turnstile.effects().getFirst()).evenIfUpdating()).isTrue();
  }

  @Test
  void settling_endsWell_nextTurnIsFreeAtOnce() {
    unresolvedAtT0(TurnResult.UNRESOLVED);
    turnstile.request(B, Lane.UPDATE);
    turnstile.fire();

    assertThat(turnstile.giveBack(A, 2, TurnResult.SUCCEEDED)).containsExactly(B);
    assertThat(turnstile.state().queues().values())
        .singleElement()
        .matches(line -> line.settling().isEmpty());
  }

  @Test
  void settling_endsBadly_isStillUnresolved() {
    unresolvedAtT0(TurnResult.UNRESOLVED);
    turnstile.request(B, Lane.UPDATE);
    turnstile.fire();

    assertThat(turnstile.giveBack(A, 2, TurnResult.FAILED)).isEmpty();
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(3));
  }

  @Test
  void settling_neighbour_isNotConcerned() {
    unresolvedAtT0(TurnResult.UNRESOLVED);

    assertThat(turnstile.request(C, Lane.UPDATE)).containsExactly(C);
  }

  @Test
  void throttled_oneLoadBalancer_closesItAloneAndNeverForLess() {
    turnstile.throttle(LB1, T0.plusSeconds(30));
    turnstile.throttle(LB1, T0.plusSeconds(10));

    assertThat(turnstile.request(A, Lane.DRAIN)).isEmpty();
    assertThat(turnstile.request(C, Lane.REPAIR)).containsExactly(C);
    turnstile.giveBack(C, 1, TurnResult.SUCCEEDED);
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));
    assertThat(turnstile.fire()).containsExactly(A);
  }

  @Test
  void throttled_whileTheTurnIsOut_countsAfterItsReturn() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);
    turnstile.throttle(LB1, T0.plusSeconds(30));

    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED)).isEmpty();
    assertThat(turnstile.fire()).containsExactly(B);
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(30));
  }

  @Test
  void throttled_whileWaitingForAnother_isExtended() {
    turnstile.throttle(LB1, T0.plusSeconds(10));
    turnstile.throttle(LB2, T0.plusSeconds(10));
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(C, Lane.UPDATE);
    turnstile.throttle(LB1, T0.plusSeconds(20));

    assertThat(turnstile.fire()).containsExactly(C);
    turnstile.giveBack(C, 1, TurnResult.SUCCEEDED);
    assertThat(turnstile.fire()).containsExactly(A);
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(20));
  }

  @Test
  void throttled_nobodyWaits_wakesOnceToTellOfTheEnd() {
    turnstile.throttle(LB1, T0.plusSeconds(30));
    turnstile.throttle(true, T0.plusSeconds(30));

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));
    assertThat(turnstile.fire()).isEmpty();

    assertThat(turnstile.wakeAt()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void throttled_subscription_stopsEveryLaneAndOpensSlowly(boolean write) {
    turnstile.throttle(write, T0.plusSeconds(30));
    assertThat(turnstile.request(A, Lane.DRAIN)).isEmpty();
    assertThat(turnstile.request(C, Lane.UPDATE)).isEmpty();
    assertThat(turnstile.request(E, Lane.DRAIN_RETRY)).isEmpty();
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));

    assertThat(turnstile.fire()).containsExactly(A);
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(31));
    assertThat(turnstile.fire()).containsExactly(C, E);
  }

  @Test
  void listing_writerGateClosed_mayGo() {
    turnstile.throttle(true, T0.plusSeconds(30));

    turnstile.send(new TurnstileEvent.ListingRequested());

    assertThat(turnstile.effects()).containsExactly(new TurnstileEffect.GrantListing());
  }

  @Test
  void listing_readerGateClosed_waitsForIt() {
    turnstile.throttle(false, T0.plusSeconds(30));
    turnstile.send(new TurnstileEvent.ListingRequested());
    assertThat(turnstile.effects()).isEmpty();

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));
    turnstile.fire();

    assertThat(turnstile.effects()).containsExactly(new TurnstileEffect.GrantListing());
    assertThat(turnstile.wakeAt()).isEmpty();
  }

  @Test
  void listing_askedForTwice_isGrantedOnce() {
    turnstile.throttle(false, T0.plusSeconds(30));
    turnstile.send(new TurnstileEvent.ListingRequested());
    turnstile.send(new TurnstileEvent.ListingRequested());

    turnstile.fire();

    assertThat(turnstile.effects()).containsExactly(new TurnstileEffect.GrantListing());
  }

  @Test
  void listing_turnsAreOut_needsNone() {
    TurnstileDriver one = TurnstileDriver.with(100, 100, 1);
    one.request(A, Lane.UPDATE);

    one.send(new TurnstileEvent.ListingRequested());

    assertThat(one.effects()).containsExactly(new TurnstileEffect.GrantListing());
  }
}
