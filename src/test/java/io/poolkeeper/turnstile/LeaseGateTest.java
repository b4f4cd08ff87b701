package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.LeaseBypassed;
import io.poolkeeper.turnstile.TurnstileEffect.Recall;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Turns while the shared Lease is needed. Drains go without it after 10 s. */
class LeaseGateTest extends LeaseTurns {
  @Test
  void requested_isNotGrantedButDemanded_andNoTimerRuns() {
    turnstile.request(A, Lane.UPDATE);

    assertThat(turnstile.granted()).isEmpty();
    assertThat(demands()).containsExactly(demand(true, 0));
    assertThat(turnstile.wakeAt()).isEmpty();
    assertThat(turnstile.view().waiting(T0))
        .extracting(TurnstileView.Waiting::why)
        .containsExactly(Obstacle.LEASE);
  }

  @Test
  void requested_withoutNeedOfALease_isGrantedAtOnce() {
    assertThat(TurnstileDriver.wide().request(A, Lane.UPDATE).ordered()).hasSize(1);
  }

  @Test
  void requested_whileATokenIsMissing_isNotDemandedBeforeItIsThere() {
    turnstile = needing(TurnstileDriver.withReads(1)).sent(false, 3).request(A, Lane.UPDATE);
    assertThat(demands()).isEmpty();

    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(3));
    assertThat(demands()).containsExactly(demand(true, 0));
    assertThat(turnstile.wakeAt()).isEmpty();
  }

  @Test
  void held_grantsAllLoadBalancers_andEndsWhenTheLastTurnIsBack() {
    turnstile.request(A, Lane.UPDATE).request(C, Lane.UPDATE);
    assertThat(held(1).granted()).containsExactly(A, C);
    assertThat(demands()).containsExactly(demand(false, 0));

    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);
    assertThat(demands()).isEmpty();
    turnstile.giveBack(C, 2, TurnResult.FAILED);

    assertThat(demands()).containsExactly(demand(false, 1));
  }

  @Test
  void held_nextOfTheSameLoadBalancer_isGrantedInTheSameSession() {
    turnstile.request(A, Lane.UPDATE).request(B, Lane.UPDATE);
    held(1);

    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).containsExactly(B);
  }

  @Test
  void held_nobodyNeedsItAnyMore_endsAtOnce() {
    turnstile.request(A, Lane.UPDATE).cancel(A);
    held(1);

    assertThat(demands()).containsExactly(demand(false, 1));
  }

  @Test
  void held_afterItsEnd_grantsNothingMore() {
    turnstile.request(A, Lane.UPDATE);
    held(1);
    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).request(A, Lane.UPDATE);

    assertThat(turnstile.granted()).isEmpty();
    assertThat(demands()).containsExactly(demand(true, 1));
  }

  @Test
  void held_forMaxHold_endsGrantingAndWaitsForTheTurnsThatAreOut() {
    turnstile.request(A, Lane.UPDATE).request(B, Lane.UPDATE);
    held(1);

    turnstile.seconds(5).giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.granted()).isEmpty();
    assertThat(demands()).containsExactly(demand(true, 1));
  }

  @ParameterizedTest
  @EnumSource(names = {"UNRESOLVED", "OTHER_WRITER", "SUPERSEDED"})
  void held_turnBecomesSettling_endsAndLooksNeedNone(TurnResult result) {
    turnstile.request(A, Lane.UPDATE);
    held(1);
    turnstile.giveBack(A, 1, result);
    assertThat(demands()).containsExactly(demand(false, 1));

    stands(new LeaseStanding.Free());
    turnstile.fire();

    assertThat(turnstile.looks()).hasSize(1);
    assertThat(demands()).isEmpty();
  }

  @Test
  void held_throttled_endsAndIsNotDemandedBeforeTheGateOpens() {
    turnstile.request(A, Lane.UPDATE).request(B, Lane.UPDATE);
    held(1);
    turnstile.throttle(true, Duration.ofSeconds(20));

    turnstile.giveBack(A, 1, TurnResult.FAILED);
    assertThat(demands()).containsExactly(demand(false, 1));
    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(20));
    assertThat(demands()).containsExactly(demand(true, 1));
  }

  @Test
  void lost_holderIsRecalled_andItsTurnCountsForNoLaterSession() {
    turnstile.request(A, Lane.UPDATE);
    held(1);
    turnstile.seconds(1);
    stands(new LeaseStanding.Free());
    assertThat(turnstile.effects()).contains(new Recall(A, 1, T0.plusSeconds(1)));

    turnstile.request(C, Lane.UPDATE);
    held(2);
    turnstile.giveBack(C, 2, TurnResult.SUCCEEDED);

    assertThat(demands()).containsExactly(demand(false, 2));
    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).effects()).isEmpty();
  }

  @Test
  void held_saidAgain_recallsNobody() {
    turnstile.request(A, Lane.UPDATE);
    LeaseStanding held = session(1, T0);
    stands(held);

    assertThat(stands(held).effects()).isEmpty();
  }

  @Test
  void accepted_writeIsSlow_sessionEndsATailLater_andOthersGetTheNext() {
    turnstile.request(A, Lane.UPDATE).request(B, Lane.UPDATE);
    held(1);
    turnstile.seconds(1).send(new TurnstileEvent.Accepted(A.loadBalancer()));

    turnstile.fire();
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(6));
    assertThat(demands()).containsExactly(demand(false, 1));

    stands(new LeaseStanding.Free());
    turnstile.request(C, Lane.UPDATE);
    assertThat(demands()).containsExactly(demand(true, 1));
    assertThat(held(2).granted()).containsExactly(C);
    assertThat(turnstile.giveBack(C, 2, TurnResult.SUCCEEDED).granted()).isEmpty();
    assertThat(demands()).containsExactly(demand(false, 2));
    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);
    assertThat(demands()).containsExactly(demand(true, 2));
  }

  @Test
  void accepted_ofALoadBalancerWithoutATurn_meansNothing() {
    turnstile.request(A, Lane.UPDATE);
    held(1);

    assertThat(turnstile.send(new TurnstileEvent.Accepted(C.loadBalancer())).effects()).isEmpty();
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(60));
  }

  @Test
  void tail_whoWrites_keepsIt() {
    turnstile.request(A, Lane.UPDATE);
    held(1);
    turnstile.send(new TurnstileEvent.Writes(A.loadBalancer()));

    turnstile.seconds(6).request(C, Lane.UPDATE);

    assertThat(demands()).containsExactly(demand(true, 0));
  }

  @Test
  void tail_drainsAtOtherLoadBalancersAreGranted_othersNot_andTheyDoNotKeepIt() {
    turnstile.request(A, Lane.UPDATE);
    held(1);
    turnstile.send(new TurnstileEvent.Writes(A.loadBalancer()));
    turnstile.seconds(6).request(C, Lane.UPDATE);
    assertThat(turnstile.granted()).isEmpty();
    turnstile.cancel(C).request(C, Lane.DRAIN);
    assertThat(turnstile.granted()).containsExactly(C);
    assertThat(turnstile.effects())
        .contains(new TurnstileEffect.WritesUntil(C.loadBalancer(), T0.plusSeconds(15)));

    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.effects()).contains(new Recall(C, 2, T0.plusSeconds(6)));
    assertThat(demands()).containsExactly(demand(false, 1));
  }

  @Test
  void over_noAnswerToAWrite_drainsGoUntilThen_andAreDeniedAfterIt() {
    turnstile.request(A, Lane.UPDATE);
    held(1);
    turnstile.send(new TurnstileEvent.Writes(A.loadBalancer()));
    turnstile.after(Duration.ofMillis(14_999)).request(C, Lane.DRAIN);
    assertThat(turnstile.granted()).containsExactly(C);
    turnstile.giveBack(C, 2, TurnResult.SUCCEEDED);

    turnstile.after(Duration.ofMillis(1)).request(C, Lane.DRAIN);

    assertThat(turnstile.granted()).isEmpty();
    stands(new LeaseStanding.Free());
    assertThat(turnstile.effects()).contains(new Recall(A, 1, T0.plusSeconds(15)));
    turnstile.fire();
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(25));
    assertThat(turnstile.effects()).contains(new LeaseBypassed(C.pool()));
  }

  @Test
  void held_membersUntilNow_asTheCloudProviderWaits_drainsAreGrantedAndKeepIt() {
    turnstile.request(A, Lane.DRAIN).request(C, Lane.UPDATE);
    Instant tail = T0.plusSeconds(5);

    stands(new LeaseStanding.Held(1, T0, tail, T0.plusSeconds(15)));

    assertThat(turnstile.granted()).containsExactly(A);
    assertThat(demands()).containsExactly(demand(true, 0));
    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);
    assertThat(demands()).containsExactly(demand(true, 1));
  }

  @Test
  void held_cutShort_keepsItsTurns() {
    turnstile.request(A, Lane.UPDATE);
    held(1);
    Instant tail = T0.plusSeconds(5);

    stands(new LeaseStanding.Held(1, T0.plusSeconds(1), tail, T0.plusSeconds(15)));

    assertThat(turnstile.effects()).isEmpty();
    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);
    assertThat(demands()).containsExactly(demand(false, 1));
  }

  @Test
  void busy_viewSaysWhoAndSinceWhen() {
    turnstile.request(A, Lane.UPDATE);
    busy();

    assertThat(turnstile.view().waiting(T0))
        .singleElement()
        .satisfies(
            waiting -> {
              assertThat(waiting.text())
                  .isEqualTo("the shared Lease is held by peer since 2026-11-21T10:00:00Z");
              assertThat(waiting.until()).contains(T0.plusSeconds(900));
            });
  }
}
