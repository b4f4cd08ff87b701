package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.E;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.LeaseBypassed;
import io.poolkeeper.turnstile.TurnstileEffect.Recall;
import io.poolkeeper.turnstile.TurnstileEffect.WritesUntil;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A read that is slow while others want the shared Lease: sessions grant members for 5 s and are
 * over after 15 s, and drains go without it after 10 s.
 */
class LeaseReadsTest extends LeaseTurns {
  private static final LeaseStanding FREE = new LeaseStanding.Free();

  /** A reads; from the tail on somebody else wants the Lease, and the session ends. */
  private void recalled() {
    turnstile.request(A, Lane.UPDATE);
    held(1);
    turnstile.seconds(5).request(C, Lane.UPDATE);
    assertThat(recalls()).containsExactly(new Recall(A, 1, turnstile.now()));
    turnstile.cancel(C);
    stands(FREE);
  }

  /** A reads in the session, and has not read when its tail begins. */
  private void readsAgain(long session) {
    turnstile.request(A, Lane.UPDATE);
    held(session);
    assertThat(turnstile.granted()).containsExactly(A);
    turnstile.seconds(5).request(C, Lane.UPDATE);
  }

  private Iterable<Recall> recalls() {
    return turnstile.effects().stream()
        .filter(Recall.class::isInstance)
        .map(Recall.class::cast)
        .toList();
  }

  @Test
  void reads_nobodyWants_keepsItInTheTail() {
    turnstile.request(A, Lane.UPDATE);
    held(1);

    turnstile.seconds(6).timer();

    assertThat(turnstile.effects()).isEmpty();
  }

  @Test
  void recalled_once_theSecondReadKeepsTheSessionToItsEnd_asAWriteDoes() {
    recalled();
    turnstile.seconds(3).giveBack(A, 1, TurnResult.UNCHANGED);

    readsAgain(2);

    assertThat(recalls()).isEmpty();
    assertThat(demands()).containsExactly(demand(true, 1));
    turnstile.seconds(3).send(new TurnstileEvent.Writes(A.loadBalancer()));
    turnstile.send(new TurnstileEvent.Accepted(A.loadBalancer())).fire();
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(8 + 5 + 3 + 5));
    assertThat(demands()).containsExactly(demand(true, 2));
  }

  @Test
  void reads_alwaysSlowerThanMaxHold_othersAlwaysWant_writesInTheSecondTurn() {
    int turns = 0;
    boolean recalled = true;
    while (recalled && turns < 9) {
      turnstile.request(A, Lane.UPDATE);
      held(++turns);
      turnstile.seconds(5).request(C, Lane.UPDATE);
      recalled = turnstile.effects().contains(new Recall(A, turns, turnstile.now()));
      turnstile.cancel(C).seconds(3);
      if (recalled) {
        stands(FREE);
        turnstile.giveBack(A, turns, TurnResult.UNCHANGED);
      }
    }

    assertThat(turns).isEqualTo(2);
  }

  @Test
  void recalled_secondTurnIsOver_theNextReadIsRecalledAgain() {
    recalled();
    turnstile.giveBack(A, 1, TurnResult.UNCHANGED).request(A, Lane.UPDATE);
    held(2);
    turnstile.giveBack(A, 2, TurnResult.SUCCEEDED);
    stands(FREE);

    readsAgain(3);

    assertThat(recalls()).containsExactly(new Recall(A, 3, turnstile.now()));
  }

  @ParameterizedTest
  @EnumSource(names = {"UNREAD", "OTHER_WRITER", "SUCCEEDED"})
  void recalled_turnEndedOtherwiseThanByASlowRead_theNextReadIsRecalledAgain(TurnResult result) {
    recalled();
    turnstile.giveBack(A, 1, result);
    if (result.settles()) {
      turnstile.seconds(1).timer().looked(LookResult.SETTLED);
    }

    readsAgain(2);

    assertThat(recalls()).containsExactly(new Recall(A, 2, turnstile.now()));
  }

  @Test
  void recalled_requestWithdrawn_theNextReadIsRecalledAgain() {
    recalled();
    turnstile.giveBack(A, 1, TurnResult.UNCHANGED).request(A, Lane.UPDATE).cancel(A);

    readsAgain(2);

    assertThat(recalls()).containsExactly(new Recall(A, 2, turnstile.now()));
  }

  @Test
  void recalled_requesterIsGone_isForgotten() {
    recalled();
    assertThat(turnstile.state().lease().turns().recalled()).containsOnlyKeys(A);

    turnstile.die(A);

    assertThat(turnstile.state().lease().turns()).isEqualTo(SessionTurns.NONE);
  }

  @Test
  void drainReads_othersWant_isNotRecalledBeforeTheEndOfTheSession() {
    turnstile.request(A, Lane.DRAIN);
    held(1);

    turnstile.seconds(6).request(C, Lane.UPDATE);

    assertThat(recalls()).isEmpty();
    assertThat(demands()).containsExactly(demand(true, 0));
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(60));
  }

  @Test
  void drainReads_grantedInTheTailOfAnothersRead_isNotRecalledForWhoWants() {
    turnstile.request(A, Lane.UPDATE);
    held(1);
    turnstile.seconds(6).request(C, Lane.DRAIN);
    assertThat(turnstile.granted()).containsExactly(C);

    turnstile.request(E, Lane.UPDATE);
    assertThat(recalls()).isEmpty();
    turnstile.giveBack(C, 2, TurnResult.SUCCEEDED);

    assertThat(recalls()).containsExactly(new Recall(A, 1, turnstile.now()));
    assertThat(demands()).containsExactly(demand(true, 1));
  }

  @Test
  void drainReads_sessionIsOver_goesWithoutItWhenItHasRead_evenIfItCouldBeHad() {
    turnstile.request(A, Lane.DRAIN);
    held(1);
    turnstile.seconds(15);
    stands(FREE);
    assertThat(recalls()).containsExactly(new Recall(A, 1, turnstile.now()));
    turnstile.request(C, Lane.UPDATE);
    held(2);

    turnstile.seconds(1).giveBack(A, 1, TurnResult.UNCHANGED).request(A, Lane.DRAIN);

    assertThat(turnstile.granted()).containsExactly(A);
    Instant deadline = turnstile.now().plusSeconds(60);
    assertThat(turnstile.effects())
        .contains(new LeaseBypassed(A.pool()), new WritesUntil(A.loadBalancer(), deadline));
    stands(FREE);
    assertThat(recalls()).containsExactly(new Recall(C, 2, turnstile.now()));
  }

  @Test
  void drainReads_sessionIsLost_waitsForTheLeaseFromTheBeginOfItsTurn() {
    turnstile.seconds(1).request(A, Lane.DRAIN);
    held(1);
    turnstile.seconds(3);
    busy();
    turnstile.seconds(4).giveBack(A, 1, TurnResult.UNCHANGED).request(A, Lane.DRAIN);
    assertThat(turnstile.granted()).isEmpty();

    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(11));
    assertThat(turnstile.granted()).containsExactly(A);
    assertThat(turnstile.effects()).contains(new LeaseBypassed(A.pool()));
  }

  @Test
  void drainReads_sessionIsLostTwice_waitsFromTheBeginOfTheFirstTurn() {
    turnstile.request(A, Lane.DRAIN);
    held(1);
    turnstile.seconds(3);
    stands(FREE);
    turnstile.giveBack(A, 1, TurnResult.UNCHANGED).request(A, Lane.DRAIN);
    assertThat(held(2).granted()).containsExactly(A);
    assertThat(turnstile.effects()).doesNotContain(new LeaseBypassed(A.pool()));
    turnstile.seconds(3);
    stands(FREE);
    turnstile.giveBack(A, 2, TurnResult.UNCHANGED).request(A, Lane.DRAIN_RETRY);

    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(10));
    assertThat(turnstile.granted()).containsExactly(A);
  }

  @Test
  void drainReads_recalled_wantsNothingUntilLongAfter_waitsAsIfForTheFirstTime() {
    turnstile.request(A, Lane.DRAIN);
    held(1);
    stands(FREE);
    turnstile.giveBack(A, 1, TurnResult.UNCHANGED);

    turnstile.seconds(61).request(A, Lane.DRAIN);
    assertThat(turnstile.granted()).isEmpty();
    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(71));
  }

  @Test
  void drainReads_recalled_membersAskNext_needTheLease() {
    turnstile.request(A, Lane.DRAIN);
    held(1);
    stands(FREE);
    turnstile.seconds(20).giveBack(A, 1, TurnResult.UNCHANGED).request(A, Lane.UPDATE);

    assertThat(turnstile.granted()).isEmpty();
    assertThat(held(2).granted()).containsExactly(A);
  }

  @Test
  void drainReads_recalled_withoutADrainWait_needsTheLease() {
    needing(turnstile, Optional.empty(), Optional.empty()).request(A, Lane.DRAIN);
    held(1);
    stands(FREE);
    turnstile.seconds(20).giveBack(A, 1, TurnResult.UNCHANGED).request(A, Lane.DRAIN);
    turnstile.request(B, Lane.DRAIN);

    assertThat(turnstile.wakeAt()).isEmpty();
    assertThat(held(2).granted()).containsExactly(A);
  }
}
