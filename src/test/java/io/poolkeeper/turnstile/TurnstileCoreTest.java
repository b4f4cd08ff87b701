package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.D;
import static io.poolkeeper.turnstile.TurnstileDriver.E;
import static io.poolkeeper.turnstile.TurnstileDriver.LB1;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Turns and lines (architecture, The turnstile): one rule each. */
class TurnstileCoreTest {
  private final TurnstileDriver turnstile = TurnstileDriver.wide();

  /** A turn of the update lane that begins now, after waiting for its load balancer alone. */
  private Grant grant(Requester requester, long turn, Duration waited) {
    Instant deadline = turnstile.now().plusSeconds(60);
    return new Grant(requester, turn, Lane.UPDATE, deadline, false, waited, Duration.ZERO);
  }

  @Test
  void request_lineIsEmpty_isGrantedWithANumber() {
    turnstile.request(A, Lane.UPDATE);

    assertThat(turnstile.ordered()).containsExactly(grant(A, 1, Duration.ZERO));
  }

  @Test
  void request_loadBalancersTurnIsOut_waitsAndIsGrantedNext() {
    turnstile.request(A, Lane.UPDATE);
    assertThat(turnstile.seconds(1).request(B, Lane.UPDATE).granted()).isEmpty();

    turnstile.seconds(3).giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.ordered()).containsExactly(grant(B, 2, Duration.ofSeconds(3)));
  }

  @Test
  void request_otherLoadBalancer_doesNotWait() {
    turnstile.request(A, Lane.UPDATE);

    assertThat(turnstile.request(C, Lane.UPDATE).granted()).containsExactly(C);
  }

  @Test
  void request_maxInFlightIsOut_waitsForAnyTurn() {
    TurnstileDriver two = TurnstileDriver.with(100, 100, 2);
    two.request(A, Lane.UPDATE);
    two.request(C, Lane.UPDATE);
    assertThat(two.request(E, Lane.DRAIN).granted()).isEmpty();
    assertThat(two.wakeAt()).contains(TurnstileDriver.T0.plusSeconds(60));

    assertThat(two.giveBack(C, 2, TurnResult.SUCCEEDED).granted()).containsExactly(E);
  }

  @Test
  void request_again_keepsItsPlace() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);
    Requester later = new Requester(LB1.pool("z"), 9);
    turnstile.request(later, Lane.UPDATE);
    TurnstileState before = turnstile.state();

    turnstile.request(B, Lane.UPDATE);

    assertThat(turnstile.state()).isEqualTo(before);
    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).containsExactly(B);
  }

  @Test
  void request_laneChanges_keepsItsTicketAmongThoseOfTheLane() {
    Requester later = new Requester(LB1.pool("z"), 9);
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.REPAIR);
    turnstile.seconds(5).request(later, Lane.UPDATE);

    turnstile.seconds(5).request(B, Lane.UPDATE);
    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.ordered()).containsExactly(grant(B, 2, Duration.ofSeconds(10)));
  }

  @Test
  void request_toALesserLane_isPassedBy() {
    Requester later = new Requester(LB1.pool("z"), 9);
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);
    turnstile.request(later, Lane.UPDATE);

    turnstile.request(B, Lane.RETRY);

    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).containsExactly(later);
  }

  @Test
  void grant_severalLoadBalancers_goesByTheTimeOfTheFirstRequest() {
    TurnstileDriver one = TurnstileDriver.with(100, 100, 1);
    one.request(A, Lane.UPDATE);
    one.request(D, Lane.UPDATE);
    one.request(B, Lane.UPDATE);
    one.request(C, Lane.UPDATE);

    assertThat(one.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).containsExactly(D);
    assertThat(one.giveBack(D, 2, TurnResult.SUCCEEDED).granted()).containsExactly(B);
    assertThat(one.giveBack(B, 3, TurnResult.SUCCEEDED).granted()).containsExactly(C);
  }

  @Test
  void grant_everyLaneWaits_goesByUrgency() {
    TurnstileDriver one = TurnstileDriver.wide();
    one.request(A, Lane.UPDATE);
    Lane[] lanes = Lane.values();
    for (int i = lanes.length - 1; i >= 0; i--) {
      one.request(new Requester(LB1.pool("p" + i), 100 + i), lanes[i]);
    }

    Requester holder = A;
    for (int turn = 1; turn <= lanes.length; turn++) {
      one.giveBack(holder, turn, TurnResult.SUCCEEDED);
      Grant grant = one.grants().getFirst();
      assertThat(grant.lane()).isEqualTo(lanes[turn - 1]);
      holder = grant.requester();
    }
  }

  @Test
  void cancel_waiter_leavesTheLine() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);

    turnstile.cancel(B);

    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).isEmpty();
    assertThat(turnstile.state().requests()).isEmpty();
    assertThat(turnstile.state().queues()).isEmpty();
  }

  @Test
  void cancel_holderOrStranger_keepsTheTurnOut() {
    turnstile.request(A, Lane.UPDATE);
    TurnstileState before = turnstile.state();

    turnstile.cancel(A);
    turnstile.cancel(B);

    assertThat(turnstile.state()).isEqualTo(before);
  }

  @Test
  void cancel_oneOfALane_leavesTheOthersInOrder() {
    Requester later = new Requester(LB1.pool("z"), 9);
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);
    turnstile.request(later, Lane.UPDATE);

    turnstile.cancel(B);

    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).containsExactly(later);
  }

  @Test
  void giveBack_oldNumberOrStranger_isIgnored() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);
    TurnstileState before = turnstile.state();

    turnstile.giveBack(A, 0, TurnResult.UNRESOLVED);
    turnstile.giveBack(A, 2, TurnResult.UNRESOLVED);
    turnstile.giveBack(C, 1, TurnResult.UNRESOLVED);

    assertThat(turnstile.state()).isEqualTo(before);
  }

  @Test
  void giveBack_badly_freesTheLoadBalancerAtOnce() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);

    assertThat(turnstile.giveBack(A, 1, TurnResult.FAILED).granted()).containsExactly(B);
  }

  @Test
  void holderGone_holder_freesTheTurnButItsWriteMayRunOn() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);

    assertThat(turnstile.die(A).granted()).isEmpty();

    assertThat(turnstile.wakeAt()).contains(turnstile.now().plusSeconds(1));
    assertThat(turnstile.fire().looked(LookResult.SETTLED).granted()).containsExactly(B);
  }

  @Test
  void holderGone_waiter_leavesTheLine() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);

    turnstile.die(B);

    assertThat(turnstile.state().out()).containsOnlyKeys(1L);
    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).isEmpty();
    assertThat(turnstile.state().requests()).isEmpty();
  }

  @Test
  void holderGone_twiceOrAfterTheTurn_changesNothingMore() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.die(A);
    TurnstileState before = turnstile.state();

    turnstile.die(A);
    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.state()).isEqualTo(before);
  }

  @Test
  void holderGone_holdsAndWaitsAgain_losesBoth() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(A, Lane.RETRY);

    turnstile.die(A);

    assertThat(turnstile.state().requests()).isEmpty();
    assertThat(turnstile.state().out()).isEmpty();
  }

  @Test
  void deadline_turnIsNotGivenBack_isLostAndItsPoolIsLookedAtAfterASecond() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);
    assertThat(turnstile.wakeAt()).contains(TurnstileDriver.T0.plusSeconds(60));

    turnstile.fire();

    assertThat(turnstile.ordered()).containsExactly(new TurnstileEffect.TurnLost(A, 1));
    assertThat(turnstile.wakeAt()).contains(TurnstileDriver.T0.plusSeconds(61));
    assertThat(turnstile.fire().looked(LookResult.SETTLED).granted()).containsExactly(B);
    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).isEmpty();
    assertThat(turnstile.state().out()).containsOnlyKeys(2L);
  }

  @Test
  void deadline_severalAreLate_allAreLostAtOnce() {
    turnstile.request(A, Lane.UPDATE);
    turnstile.seconds(10).request(C, Lane.UPDATE);
    turnstile.seconds(10).request(E, Lane.UPDATE);

    turnstile.seconds(50).timer();

    assertThat(turnstile.ordered())
        .containsExactly(new TurnstileEffect.TurnLost(A, 1), new TurnstileEffect.TurnLost(C, 2));
    assertThat(turnstile.wakeAt()).contains(TurnstileDriver.T0.plusSeconds(71));
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "UNCHANGED", "FAILED", "CONFLICT"})
  void wakeAt_nobodyWaitsAndNothingIsOut_isNever(TurnResult result) {
    assertThat(turnstile.wakeAt()).isEmpty();
    turnstile.request(A, Lane.UPDATE);

    turnstile.giveBack(A, 1, result);

    assertThat(turnstile.wakeAt()).isEmpty();
  }
}
