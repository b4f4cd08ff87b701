package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.E;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import io.poolkeeper.turnstile.TurnstileEffect.Look;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a load balancer or the whole subscription has to wait: unresolved writes and gates. */
class TurnstileSettlingTest {
  private final TurnstileDriver turnstile = TurnstileDriver.wide();

  /** A turn of A's at T0 ended so, and A and B wait for the next. */
  private void endedAtT0(TurnResult result) {
    turnstile.request(A, Lane.UPDATE);
    turnstile.giveBack(A, 1, result);
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "UNCHANGED", "UNREAD", "FAILED", "CONFLICT"})
  void returned_noWriteCanRun_isFreeAtOnce(TurnResult result) {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);

    assertThat(turnstile.giveBack(A, 1, result).granted()).containsExactly(B);
    assertThat(turnstile.view().settling()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"UNRESOLVED", "OTHER_WRITER", "SUPERSEDED"})
  void settling_everyLookInVain_comesAfterTwiceTheTimeUpTo30Seconds(TurnResult result) {
    endedAtT0(result);
    long[] expected = {1, 3, 7, 15, 31, 61, 91, 121, 151, 181, 211, 241, 271};
    for (long seconds : expected) {
      turnstile.fire();
      assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(seconds));
      assertThat(turnstile.looks()).extracting(Look::pool).containsExactly(A.pool());
      assertThat(turnstile.looked(LookResult.UPDATING).granted()).isEmpty();
    }
  }

  @Test
  void settling_nobodyWaits_isLookedAtAllTheSame() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.die(A);

    assertThat(turnstile.fire().looks()).extracting(Look::pool).containsExactly(A.pool());
    assertThat(turnstile.looked(LookResult.SETTLED).state().queues()).isEmpty();
    assertThat(turnstile.wakeAt()).isEmpty();
  }

  @Test
  void settling_turnLost_isLookedAt() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.fire();

    assertThat(turnstile.fire().looks()).extracting(Look::pool).containsExactly(A.pool());
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(61));
  }

  @Test
  void settling_lookInFlight_nothingElseIsDueButTheLimit() {
    endedAtT0(TurnResult.UNRESOLVED);

    assertThat(turnstile.fire().looks()).hasSize(1);

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(300));
    assertThat(turnstile.sent(false).looks()).isEmpty();
  }

  /** Looks count as turns in flight: one that hangs keeps others waiting. */
  @Test
  void settling_look_isGivenUpAfterTenSeconds() {
    endedAtT0(TurnResult.UNRESOLVED);

    assertThat(turnstile.fire().looks().getFirst().deadline()).isEqualTo(T0.plusSeconds(11));
  }

  @Test
  void settling_pausesBeginWithTheEndOfTheLook() {
    endedAtT0(TurnResult.UNRESOLVED);
    long look = turnstile.fire().looks().getFirst().look();

    turnstile.after(Duration.ofSeconds(5)).looked(look, LookResult.UNKNOWN);

    assertThat(turnstile.fire().looks()).hasSize(1);
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(8));
  }

  @Test
  void settling_lookShowsTheEnd_turnsGoOnInOrder() {
    endedAtT0(TurnResult.UNRESOLVED);

    turnstile.fire().looked(LookResult.SETTLED);

    assertThat(turnstile.granted()).containsExactly(A);
    assertThat(turnstile.grants().getFirst().evenIfUpdating()).isFalse();
    assertThat(turnstile.view().settling()).isEmpty();
  }

  @Test
  void settling_nextWriteHasNoEndEither_beginsAnew() {
    endedAtT0(TurnResult.UNRESOLVED);
    turnstile.fire().looked(LookResult.UPDATING).fire().looked(LookResult.SETTLED);

    turnstile.giveBack(A, 2, TurnResult.UNRESOLVED);

    assertThat(turnstile.view().settling())
        .containsExactly(
            new TurnstileView.Settling(A.pool(), T0.plusSeconds(4), T0.plusSeconds(303)));
  }

  @Test
  void settling_limitExactlyOver_writesAllTheSameAndOnce() {
    endedAtT0(TurnResult.OTHER_WRITER);
    turnstile.after(Duration.ofMinutes(5).minusNanos(1)).timer();
    assertThat(turnstile.granted()).isEmpty();

    turnstile.after(Duration.ofNanos(1)).timer();

    assertThat(turnstile.grants()).hasSize(1).first().matches(Grant::evenIfUpdating);
    turnstile.giveBack(A, 2, TurnResult.CONFLICT);
    assertThat(turnstile.grants()).hasSize(1).first().matches(grant -> !grant.evenIfUpdating());
  }

  @Test
  void settling_limitOverAndAnotherPoolIsFirst_onlyThePoolThatShowedItWritesAllTheSame() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.giveBack(A, 1, TurnResult.OTHER_WRITER);
    turnstile.request(B, Lane.UPDATE);
    turnstile.request(A, Lane.UPDATE);

    turnstile.after(Duration.ofMinutes(5)).timer();

    assertThat(turnstile.granted()).containsExactly(B);
    assertThat(turnstile.grants().getFirst().evenIfUpdating()).isFalse();
    turnstile.giveBack(B, 2, TurnResult.SUCCEEDED);
    assertThat(turnstile.granted()).containsExactly(A);
    assertThat(turnstile.grants().getFirst().evenIfUpdating()).isTrue();
  }

  @Test
  void settling_twoPoolsAreStuck_eachWritesAllTheSameInItsTime() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.giveBack(A, 1, TurnResult.OTHER_WRITER);
    turnstile.request(B, Lane.UPDATE);
    turnstile.request(A, Lane.UPDATE);
    turnstile.after(Duration.ofMinutes(5)).timer();
    turnstile.giveBack(B, 2, TurnResult.OTHER_WRITER);
    turnstile.request(B, Lane.UPDATE);
    turnstile.request(A, Lane.DRAIN);

    turnstile.after(Duration.ofMinutes(5)).timer();

    assertThat(turnstile.granted()).containsExactly(A);
    assertThat(turnstile.grants().getFirst().evenIfUpdating()).isTrue();
    turnstile.giveBack(A, 3, TurnResult.SUCCEEDED);
    assertThat(turnstile.granted()).containsExactly(B);
    assertThat(turnstile.grants().getFirst().evenIfUpdating()).isTrue();
  }

  @Test
  void settling_limitIsOverWhenTheGateOpens_isNotLookedAtAnyMore() {
    endedAtT0(TurnResult.UNRESOLVED);
    turnstile.throttle(false, Duration.ofMinutes(10));

    turnstile.after(Duration.ofMinutes(10)).timer();

    assertThat(turnstile.looks()).isEmpty();
    assertThat(turnstile.grants()).hasSize(1).first().matches(Grant::evenIfUpdating);
  }

  @Test
  void settling_limitIsOverAndNobodyWaits_isStillLookedAt() {
    endedAtT0(TurnResult.UNRESOLVED);
    turnstile.cancel(A);
    turnstile.cancel(B);
    turnstile.after(Duration.ofMinutes(6)).timer();

    turnstile.looked(LookResult.SETTLED);

    assertThat(turnstile.request(B, Lane.UPDATE).grants().getFirst().evenIfUpdating()).isFalse();
  }

  @Test
  void looked_settlingHasEndedByItsLimit_changesNothing() {
    endedAtT0(TurnResult.UNRESOLVED);
    long look = turnstile.fire().looks().getFirst().look();
    turnstile.after(Duration.ofMinutes(5)).timer();
    turnstile.giveBack(A, 2, TurnResult.UNRESOLVED);

    turnstile.looked(look, LookResult.SETTLED);

    assertThat(turnstile.granted()).isEmpty();
    assertThat(turnstile.view().settling()).hasSize(1);
    assertThat(turnstile.state().looks().inFlight()).isEmpty();
  }

  @Test
  void looked_twice_changesNothing() {
    endedAtT0(TurnResult.UNRESOLVED);
    long look = turnstile.fire().looks().getFirst().look();
    turnstile.looked(look, LookResult.UPDATING);
    TurnstileState before = turnstile.state();

    assertThat(turnstile.looked(look, LookResult.SETTLED).state()).isEqualTo(before);
  }

  @Test
  void look_readerGateClosed_waitsForIt() {
    endedAtT0(TurnResult.UNRESOLVED);
    turnstile.throttle(false, Duration.ofSeconds(30));

    assertThat(turnstile.fire().looks()).hasSize(1);

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(30));
  }

  @Test
  void look_writerGateClosed_isMade() {
    endedAtT0(TurnResult.UNRESOLVED);
    turnstile.throttle(true, Duration.ofSeconds(30));

    assertThat(turnstile.fire().looks()).hasSize(1);

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(1));
  }

  @Test
  void look_gateOfTheLoadBalancerClosed_waitsForIt() {
    endedAtT0(TurnResult.UNRESOLVED);
    turnstile.throttle("lb-1", Duration.ofSeconds(30));

    assertThat(turnstile.fire().looks()).hasSize(1);

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(30));
  }

  @Test
  void look_noReadToken_waitsForOneAndGoesBeforeListingAndTurns() {
    TurnstileDriver poor = TurnstileDriver.withReads(2);
    poor.request(A, Lane.UPDATE);
    poor.giveBack(A, 1, TurnResult.UNRESOLVED);
    poor.sent(false, 4);
    poor.request(C, Lane.UPDATE).requestListing();

    poor.seconds(3).timer();

    assertThat(poor.looks()).hasSize(1);
    assertThat(poor.ordered()).hasSize(1);
    assertThat(poor.wakeAt()).contains(T0.plusSeconds(4));
  }

  @Test
  void look_manySettle_noMoreAreInFlightThanTurnsMayBe() {
    TurnstileDriver two = TurnstileDriver.with(100, 100, 2);
    for (Requester requester : List.of(A, C, E)) {
      two.request(requester, Lane.UPDATE);
      two.giveBack(requester.pool(), two.grants().getFirst().turn(), TurnResult.UNRESOLVED);
      two.die(requester);
    }

    assertThat(two.fire().looks()).extracting(Look::pool).containsExactly(A.pool(), C.pool());
    assertThat(two.wakeAt()).isEmpty();
    assertThat(two.looked(LookResult.SETTLED).looks())
        .extracting(Look::pool)
        .containsExactly(E.pool());
  }

  @Test
  void settling_neighbour_isNotConcerned() {
    endedAtT0(TurnResult.UNRESOLVED);

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

    assertThat(turnstile.ordered()).containsExactly(new TurnstileEffect.GrantRead(Reader.LISTING));
  }

  @Test
  void listing_readerGateClosed_waitsForIt() {
    turnstile.throttle(false, Duration.ofSeconds(30));
    turnstile.requestListing();
    assertThat(turnstile.ordered()).isEmpty();

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));
    turnstile.fire();

    assertThat(turnstile.ordered()).containsExactly(new TurnstileEffect.GrantRead(Reader.LISTING));
    assertThat(turnstile.wakeAt()).isEmpty();
  }

  @Test
  void listing_askedForTwice_isGrantedOnce() {
    turnstile.throttle(false, Duration.ofSeconds(30));
    turnstile.requestListing();
    turnstile.requestListing();

    turnstile.fire();

    assertThat(turnstile.ordered()).containsExactly(new TurnstileEffect.GrantRead(Reader.LISTING));
  }

  @Test
  void listing_turnsAreOut_needsNone() {
    TurnstileDriver one = TurnstileDriver.with(100, 100, 1);
    one.request(A, Lane.UPDATE);

    one.requestListing();

    assertThat(one.ordered()).containsExactly(new TurnstileEffect.GrantRead(Reader.LISTING));
  }
}
