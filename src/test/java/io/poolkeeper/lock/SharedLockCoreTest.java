package io.poolkeeper.lock;

import static io.poolkeeper.lock.LockDriver.DRAIN;
import static io.poolkeeper.lock.LockDriver.UPDATE;
import static io.poolkeeper.lock.LockDriver.free;
import static io.poolkeeper.lock.LockDriver.held;
import static io.poolkeeper.lock.LockDriver.holder;
import static io.poolkeeper.lock.LockDriver.leader;
import static io.poolkeeper.lock.LockDriver.ours;
import static io.poolkeeper.lock.LockDriver.standby;
import static io.poolkeeper.lock.LockDriver.theirs;

import io.poolkeeper.lock.LeaseView.Whose;
import org.junit.jupiter.api.Test;

/** When the Lease is taken, kept and given back. */
class SharedLockCoreTest {
  private static final LeaseDemand MEMBERS_AGAIN = new LeaseDemand(true, false, 1);
  private static final LeaseDemand DRAIN_AGAIN = new LeaseDemand(true, true, 1);

  @Test
  void demanded_onStandby_callsNobody() {
    standby().sees(free(3)).wants(UPDATE).came("").rests();
  }

  @Test
  void lead_readsAtOnce_andRestsIfTheLeaseIsFree() {
    standby().leads().came("read").is(free(10)).came("").rests().isFree();
  }

  @Test
  void lead_predecessorLeftTheLease_isGivenBackBeforeTheFirstPermit() {
    standby()
        .wants(UPDATE)
        .leads()
        .is(held(7, Whose.NAMESAKE))
        .came("read, left 7, give 7")
        .is(free(8))
        .wakes(200)
        .came("take 8");
  }

  @Test
  void demanded_stateIsKnown_takesWithOneCall() {
    LockDriver lock = leader().wants(UPDATE).came("take 10").millis(30).is(ours(11));

    lock.came("taken-30").isHeldFor(5_000).wakes(14_970).came("give 11");
  }

  @Test
  void seen_aLateTakeOfThePredecessor_isGivenBackThoughNobodyWantsIt() {
    leader().sees(held(11, Whose.NAMESAKE)).came("left 11, give 11").is(free(12)).came("").rests();
  }

  @Test
  void conflict_withALateTakeOfThePredecessor_isGivenBackAndTakenAgain() {
    LockDriver lock = leader().wants(DRAIN).conflict().is(held(11, Whose.NAMESAKE));

    lock.came("take 10, read, left 11, give 11").is(free(12)).came("take 12");
  }

  /** Each write carries the version that was read: after one of ours no late one can land. */
  @Test
  void seen_namesakeAfterAWriteOfOurs_isASuccessor_andNotGivenBack() {
    LockDriver lock = holder().ends(1).is(free(12)).sees(held(13, Whose.NAMESAKE));

    lock.came("give 11").rests().wants(MEMBERS_AGAIN).wakes(200).came("take 13");
  }

  @Test
  void ended_givesBackWhatWasWritten_andRests() {
    holder().ends(1).came("give 11").isFree().is(free(12)).came("").rests();
  }

  @Test
  void ended_olderSession_keepsTheLease() {
    holder().ends(0).came("").isHeldFor(5_000);
  }

  @Test
  void seen_olderThanWhatWeWrote_isDropped() {
    holder().sees(free(10)).came("").isHeldFor(5_000);
  }

  @Test
  void seen_annotatedByAnother_isStillOurs_andGivenBackInItsNewVersion() {
    holder().sees(ours(14)).ends(1).came("give 14");
  }

  @Test
  void seen_stolen_isLostAndNotGivenBack() {
    holder().sees(theirs(12)).came("lost 12").isFree().ends(1).came("");
  }

  @Test
  void seen_deletedOrReleasedByAnother_isLost_andTakenAgainAfterThePause() {
    LockDriver lock = holder().millis(100).sees(free(12)).came("lost 12");

    lock.wants(MEMBERS_AGAIN).wakes(200).came("take 12");
  }

  @Test
  void taken_butStolenBeforeTheAnswer_isLost() {
    leader().wants(UPDATE).sees(theirs(12)).is(ours(11)).came("take 10, taken-0, lost 12").isFree();
  }

  @Test
  void busy_callsNobody_untilTheWatchShowsItFree() {
    LockDriver lock = leader().sees(theirs(11)).wants(UPDATE).came("").isBusy();

    lock.millis(70).sees(free(12)).came("take 12");
  }

  @Test
  void busy_watchIsDead_isReadEveryFiveSeconds() {
    LockDriver lock = leader().sees(theirs(11)).wants(UPDATE).wakes(5_000).is(theirs(11));

    lock.wakes(5_000).came("read, read").is(free(12)).came("take 12");
  }

  @Test
  void busy_heldBySomebodyElseByNow_isBusySinceItWasMetFirst() {
    leader().sees(theirs(11)).wants(UPDATE).millis(3_000).sees(theirs(13)).isBusy();
  }

  @Test
  void demanded_busyAsSeenLongAgo_isReadAtOnce() {
    leader().sees(theirs(11)).millis(5_000).wants(UPDATE).is(free(12)).came("read, take 12");
  }

  @Test
  void busy_expired_isTaken() {
    leader().millis(898_000).sees(theirs(11)).wants(UPDATE).wakes(2_000).came("take 11");
  }

  @Test
  void conflict_isReadAtOnce_andTakenAgain() {
    leader().wants(UPDATE).conflict().came("take 10, read").is(free(15)).came("take 15");
  }

  @Test
  void seen_aLateTakeOfOurs_isGivenBack() {
    holder().ends(1).is(free(12)).sees(ours(13)).came("give 11, left 13, give 13");
  }

  @Test
  void held_notEndedByTheRateLimiter_isGivenBackTenSecondsAfterMaxHold() {
    holder().wants(UPDATE).wakes(15_000).came("give 11");
  }

  @Test
  void ended_yieldsToMembersOnly() {
    LockDriver members = holder().ends(1).is(free(12)).wants(MEMBERS_AGAIN).came("give 11");
    members.wakes(200).came("take 12");

    holder().ends(1).is(free(12)).wants(DRAIN_AGAIN).came("give 11, take 12");
  }

  @Test
  void fails_butTheLeaseWasTaken_isGivenBackThoughNobodyWantsItAnyMore() {
    LockDriver lock = leader().wants(UPDATE).fails().wants(LeaseDemand.NONE).wakes(50);

    lock.came("take 10, read").is(ours(11)).came("left 11, give 11");
  }

  @Test
  void giveBack_conflict_isGivenBackInItsNewVersionIfItIsStillOurs() {
    holder().ends(1).conflict().is(ours(13)).came("give 11, read, left 13, give 13");
    holder().ends(1).conflict().is(theirs(13)).came("give 11, read").rests();
    holder().ends(1).conflict().is(held(13, Whose.NAMESAKE)).came("give 11, read").rests();
  }

  @Test
  void giveBack_fails_pauseBeginsWhenItSucceeds() {
    LockDriver lock = holder().millis(100).wants(MEMBERS_AGAIN).fails().wakes(50).is(ours(11));
    lock.came("give 11, read, left 11, give 11").millis(20).is(free(12));

    lock.wakes(200).came("take 12");
  }

  @Test
  void stop_whileHeld_givesBackAndEnds() {
    holder().stops().came("give 11").is(free(12)).isOver();
  }

  @Test
  void stop_whileItIsTaken_givesBackWhatComes() {
    LockDriver lock = leader().wants(UPDATE).stops().is(ours(11));

    lock.came("take 10, taken-0, give 11").is(free(12)).isOver();
  }

  @Test
  void stop_takingHadNoAnswer_looksAndEnds() {
    leader().wants(UPDATE).fails().stops().wakes(50).came("take 10, read").is(theirs(11)).isOver();
  }

  @Test
  void stop_onStandby_endsAtOnce() {
    standby().stops().came("").isOver();
  }

  @Test
  void taken_forADrain_saysSo() {
    leader().wants(DRAIN).millis(5).is(ours(11)).came("take 10, taken-5-drain");
  }
}
