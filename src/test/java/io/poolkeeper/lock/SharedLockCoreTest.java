package io.poolkeeper.lock;

import static io.poolkeeper.lock.LockDriver.DRAIN;
import static io.poolkeeper.lock.LockDriver.T0;
import static io.poolkeeper.lock.LockDriver.UPDATE;
import static io.poolkeeper.lock.LockDriver.free;
import static io.poolkeeper.lock.LockDriver.held;
import static io.poolkeeper.lock.LockDriver.holder;
import static io.poolkeeper.lock.LockDriver.leader;
import static io.poolkeeper.lock.LockDriver.ours;
import static io.poolkeeper.lock.LockDriver.session;
import static io.poolkeeper.lock.LockDriver.standby;
import static io.poolkeeper.lock.LockDriver.theirs;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.LeaseView.Whose;
import io.poolkeeper.lock.SharedLockEffect.GiveBack;
import io.poolkeeper.lock.SharedLockEffect.LeftBehind;
import io.poolkeeper.lock.SharedLockEffect.Lost;
import io.poolkeeper.lock.SharedLockEffect.Read;
import io.poolkeeper.lock.SharedLockEffect.Take;
import io.poolkeeper.lock.SharedLockEffect.Taken;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the Lease is taken, kept and given back. */
class SharedLockCoreTest {
  @Test
  void demanded_onStandby_callsNobody() {
    LockDriver lock = standby().sees(free(3)).wants(UPDATE);

    assertThat(lock.effects()).isEmpty();
    assertThat(lock.wakeAt()).isEmpty();
  }

  @Test
  void lead_readsAtOnce_andRestsIfTheLeaseIsFree() {
    LockDriver lock = standby().send(new SharedLockEvent.Lead());
    assertThat(lock.effects()).containsExactly(new Read());

    lock.is(free(10));

    assertThat(lock.effects()).isEmpty();
    assertThat(lock.wakeAt()).isEmpty();
    assertThat(lock.standing()).isEqualTo(new LeaseStanding.Free());
  }

  @Test
  void lead_predecessorLeftTheLease_isGivenBackBeforeTheFirstTurn() {
    LeaseView found = held(7, Whose.NAMESAKE);
    LockDriver lock = standby().wants(UPDATE).send(new SharedLockEvent.Lead()).is(found);
    assertThat(lock.effects()).containsExactly(new LeftBehind(found), new GiveBack(found));

    lock.is(free(8)).wakes(200);

    assertThat(lock.effects()).containsExactly(new Take(free(8)));
  }

  @Test
  void demanded_stateIsKnown_takesWithOneCall() {
    LockDriver lock = leader().wants(UPDATE);
    assertThat(lock.effects()).containsExactly(new Take(free(10)));

    lock.millis(30).is(ours(11));

    assertThat(lock.effects()).containsExactly(new Taken(Duration.ofMillis(30), false));
    assertThat(lock.standing()).isEqualTo(session(1, T0));
    assertThat(lock.wakeAt()).contains(T0.plusSeconds(15));
  }

  @Test
  void demanded_namesakeHoldsIt_entersAgain() {
    LeaseView namesake = held(12, Whose.NAMESAKE);

    LockDriver lock = leader().sees(namesake).wants(UPDATE);

    assertThat(lock.effects()).containsExactly(new Take(namesake));
  }

  @Test
  void ended_givesBackWhatWasWritten_andRests() {
    LockDriver lock = holder().ends(1);
    assertThat(lock.effects()).containsExactly(new GiveBack(ours(11)));
    assertThat(lock.standing()).isEqualTo(new LeaseStanding.Free());

    lock.is(free(12));

    assertThat(lock.effects()).isEmpty();
    assertThat(lock.wakeAt()).isEmpty();
  }

  @Test
  void ended_olderSession_keepsTheLease() {
    assertThat(holder().ends(0).effects()).isEmpty();
  }

  @Test
  void seen_olderThanWhatWeWrote_isDropped() {
    LockDriver lock = holder().sees(free(10));

    assertThat(lock.standing()).isInstanceOf(LeaseStanding.Held.class);
    assertThat(lock.effects()).isEmpty();
  }

  @Test
  void seen_annotatedByAnother_isStillOurs_andGivenBackInItsNewVersion() {
    LockDriver lock = holder().sees(ours(14)).ends(1);

    assertThat(lock.effects()).containsExactly(new GiveBack(ours(14)));
  }

  @Test
  void seen_stolen_isLostAndNotGivenBack() {
    LockDriver lock = holder().sees(theirs(12));
    assertThat(lock.effects()).containsExactly(new Lost(theirs(12)));
    assertThat(lock.standing()).isEqualTo(new LeaseStanding.Free());

    assertThat(lock.ends(1).effects()).isEmpty();
  }

  @Test
  void seen_deletedOrReleasedByAnother_isLost_andTakenAgainAfterThePause() {
    LockDriver lock = holder().millis(100).sees(free(12));
    assertThat(lock.effects()).containsExactly(new Lost(free(12)));

    lock.wants(new LeaseDemand(true, false, 1)).wakes(200);

    assertThat(lock.effects()).containsExactly(new Take(free(12)));
  }

  @Test
  void taken_butStolenBeforeTheAnswer_isLost() {
    LockDriver lock = leader().wants(UPDATE).sees(theirs(12)).is(ours(11));

    assertThat(lock.effects()).contains(new Lost(theirs(12)));
    assertThat(lock.standing()).isInstanceOf(LeaseStanding.Free.class);
  }

  @Test
  void busy_callsNobody_untilTheWatchShowsItFree() {
    LockDriver lock = leader().sees(theirs(11)).wants(UPDATE);
    assertThat(lock.effects()).isEmpty();
    assertThat(lock.standing())
        .isEqualTo(new LeaseStanding.Busy("peer", Optional.of(T0), T0.plusSeconds(900), T0));

    lock.millis(70).sees(free(12));

    assertThat(lock.effects()).containsExactly(new Take(free(12)));
  }

  @Test
  void busy_watchIsDead_isReadEveryFiveSeconds() {
    LockDriver lock = leader().sees(theirs(11)).wants(UPDATE).wakes(5_000);
    assertThat(lock.effects()).containsExactly(new Read());
    lock.is(theirs(11)).wakes(5_000);
    assertThat(lock.effects()).containsExactly(new Read());

    lock.is(free(12));

    assertThat(lock.effects()).containsExactly(new Take(free(12)));
  }

  @Test
  void busy_heldBySomebodyElseByNow_isBusySinceItWasMetFirst() {
    LockDriver lock = leader().sees(theirs(11)).wants(UPDATE).millis(3_000).sees(theirs(13));

    assertThat(lock.standing())
        .isEqualTo(new LeaseStanding.Busy("peer", Optional.of(T0), T0.plusSeconds(900), T0));
  }

  @Test
  void demanded_busyAsSeenLongAgo_isReadAtOnce() {
    LockDriver lock = leader().sees(theirs(11)).after(Duration.ofSeconds(5));

    lock.wants(UPDATE);

    assertThat(lock.effects()).containsExactly(new Read());
    assertThat(lock.is(free(12)).effects()).containsExactly(new Take(free(12)));
  }

  @Test
  void busy_expired_isTaken() {
    LockDriver lock = leader().after(Duration.ofSeconds(898)).sees(theirs(11)).wants(UPDATE);

    lock.wakes(2_000);

    assertThat(lock.effects()).containsExactly(new Take(theirs(11)));
  }

  @Test
  void conflict_isReadAtOnce_andTakenAgain() {
    LockDriver lock = leader().wants(UPDATE).conflict();
    assertThat(lock.effects()).containsExactly(new Read());

    assertThat(lock.is(free(15)).effects()).containsExactly(new Take(free(15)));
  }

  @Test
  void seen_aLateTakeOfOurs_isGivenBack() {
    LockDriver lock = holder().ends(1).is(free(12));

    lock.sees(ours(13));

    assertThat(lock.effects()).containsExactly(new LeftBehind(ours(13)), new GiveBack(ours(13)));
  }

  @Test
  void held_notEndedByTheTurnstile_isGivenBackTenSecondsAfterMaxHold() {
    LockDriver lock = holder().wants(UPDATE).wakes(15_000);

    assertThat(lock.effects()).containsExactly(new GiveBack(ours(11)));
  }

  @Test
  void ended_yieldsToMembersOnly() {
    LockDriver members = holder().ends(1).is(free(12)).wants(new LeaseDemand(true, false, 1));
    assertThat(members.effects()).isEmpty();
    assertThat(members.wakes(200).effects()).containsExactly(new Take(free(12)));

    LockDriver drain = holder().ends(1).is(free(12)).wants(new LeaseDemand(true, true, 1));
    assertThat(drain.effects()).containsExactly(new Take(free(12)));
  }

  @Test
  void fails_butTheLeaseWasTaken_isGivenBackThoughNobodyWantsItAnyMore() {
    LockDriver lock = leader().wants(UPDATE).fails().wants(LeaseDemand.NONE).wakes(50);
    assertThat(lock.effects()).containsExactly(new Read());

    lock.is(ours(11));

    assertThat(lock.effects()).containsExactly(new LeftBehind(ours(11)), new GiveBack(ours(11)));
  }

  @Test
  void giveBack_conflictWithAnAnnotation_isGivenBackInTheNewVersion() {
    LockDriver lock = holder().ends(1).conflict();
    assertThat(lock.effects()).containsExactly(new Read());

    assertThat(lock.is(ours(13)).effects()).contains(new GiveBack(ours(13)));
  }

  @Test
  void giveBack_conflictWithAThief_leavesItAlone() {
    LockDriver lock = holder().ends(1).conflict().is(theirs(13));

    assertThat(lock.effects()).isEmpty();
    assertThat(lock.wakeAt()).isEmpty();
  }

  @Test
  void giveBack_conflictWithANamesake_leavesItAlone() {
    LockDriver lock = holder().ends(1).conflict().is(held(13, Whose.NAMESAKE));

    assertThat(lock.effects()).isEmpty();
  }

  @Test
  void giveBack_fails_pauseBeginsWhenItSucceeds() {
    LockDriver lock = holder().millis(100).wants(new LeaseDemand(true, false, 1)).fails();
    lock.wakes(50).is(ours(11)).millis(20).is(free(12));

    lock.wakes(200);

    assertThat(lock.effects()).containsExactly(new Take(free(12)));
  }

  @Test
  void stop_whileHeld_givesBackAndEnds() {
    LockDriver lock = holder().stops();
    assertThat(lock.effects()).containsExactly(new GiveBack(ours(11)));

    assertThat(lock.is(free(12)).state().phase()).isEqualTo(new LockPhase.Ended());
  }

  @Test
  void stop_whileItIsTaken_givesBackWhatComes() {
    LockDriver lock = leader().wants(UPDATE).stops().is(ours(11));
    assertThat(lock.call()).contains(new GiveBack(ours(11)));

    assertThat(lock.is(free(12)).state().phase()).isEqualTo(new LockPhase.Ended());
  }

  @Test
  void stop_takingHadNoAnswer_looksAndEnds() {
    LockDriver lock = leader().wants(UPDATE).fails().stops().wakes(50);
    assertThat(lock.effects()).containsExactly(new Read());

    assertThat(lock.is(theirs(11)).state().phase()).isEqualTo(new LockPhase.Ended());
  }

  @Test
  void stop_onStandby_endsAtOnce() {
    assertThat(standby().stops().state().phase()).isEqualTo(new LockPhase.Ended());
  }

  @Test
  void taken_forADrain_saysSo() {
    LockDriver lock = leader().wants(DRAIN).millis(5).is(ours(11));

    assertThat(lock.effects()).containsExactly(new Taken(Duration.ofMillis(5), true));
  }
}
