package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static io.poolkeeper.pool.PoolFixtures.updating;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.retry.Jitter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Drains that fail or are reverted (spec 2, Risks and Mitigations: stale state and throttling): a
 * drain plans on the newest view of its pool, whatever the pool waits for.
 */
class DrainFailureTest {
  /** n4 leaves, and the permit has come: the pool is read. */
  private static PoolDriver draining() {
    return draining(PoolFixtures.LIMITS);
  }

  private static PoolDriver draining(PoolLimits limits) {
    return settled(limits, "n4 n5").after(60).leave("n4").granted();
  }

  /** n4 is Down since a second. */
  private static PoolDriver drained() {
    return draining().read("n4 n5").written().after(1);
  }

  @ParameterizedTest
  @CsvSource({
    "412, 1, 0, 0.5",
    "412, 1, 0.5, 0.75",
    "412, 1, 1, 1",
    "412, 2, 0, 1",
    "412, 6, 0.5, 24",
    "412, 7, 1, 60",
    "412, 20, 1, 60",
    "403, 1, 0, 15",
    "403, 1, 0.5, 22.5",
    "403, 5, 0, 150",
    "403, 9, 1, 300"
  })
  void failed_soOften_isTriedAgainAfterTheBackoff(
      int status, int failures, double random, double seconds) {
    PoolDriver pool = draining().drawing(random).failed(status);
    for (int failure = 1; failure < failures; failure++) {
      pool.reading().failed(status);
    }

    pool.wakes(seconds).timer().out("permit DRAIN_RETRY 1/2");
  }

  @ParameterizedTest
  @CsvSource({
    "FULL, 0.001, 412, 0.001, 0.002, 0.004",
    "FULL, 0.5, 412, 0.5, 1, 2",
    "FULL, 1, 403, 30, 60, 120",
    "DECORRELATED, 0, 412, 1, 1, 1",
    "DECORRELATED, 0.5, 412, 2, 3.5, 5.75",
    "DECORRELATED, 1, 412, 3, 9, 27",
    "DECORRELATED, 1, 403, 90, 270, 300"
  })
  void failed_inARow_waitsAsTheJitterSays(
      Jitter jitter, double random, int status, double first, double second, double third) {
    PoolDriver pool = draining(PoolFixtures.limits(jitter)).drawing(random);

    pool.failed(status).wakes(first).reading();
    pool.failed(status).wakes(second).reading();
    pool.failed(status).wakes(third);
  }

  @Test
  void throttled_countsOnceForTheStates_andOnceForTheMembersThatGoAlong() {
    PoolDriver both = settled("n4 n5").after(60).web("n4").timer().leave("n4").granted();

    assertThat(draining().throttled(20).texts())
        .contains("throttled drain")
        .doesNotContain("throttled");
    assertThat(both.throttled(20).texts()).containsOnlyOnce("throttled drain", "throttled");
  }

  @Test
  void failed_anotherNodeLeaves_isAFirstAttemptOfThatOne() {
    PoolDriver pool = draining().failed(403).leave("n4 n5").out("permit DRAIN 1/1").granted();

    pool.failed(403).timer().out("permit DRAIN_RETRY 1/1");
  }

  @Test
  void writeFails_anotherNodeHasLeft_isAFirstAttemptAtOnceUnlessThatWasBeforeTheRead() {
    draining().read("n4 n5").leave("n4 n5").failed(412).has("permit DRAIN 1/1");

    PoolDriver before = draining().leave("n4 n5").read("n4 n5").failed(412).lacks("turn");
    before.timer().out("permit DRAIN_RETRY 1/1");
  }

  @Test
  void failed_aChangeWaitsForItsPermit_asksAsTheRetriedDrain() {
    PoolDriver pool = draining().failed(412).web("n4 n6").timer().out("permit UPDATE");

    pool.after(5).tick().out("permit DRAIN_RETRY 1/2");
  }

  @Test
  void failed_afterAGlanceAtAnotherWrite_takesNoNodeForDone() {
    PoolDriver pool = draining().read("n4 n5").failed(412).leave("n4 n5");
    pool.shows(updating("n4/Down n5"), pool.now()).granted();

    pool.failed(412).has("report 1 pending n4,n5 failed");
  }

  @Test
  void failedPool_recoversAndIsDamagedWhileADrainWaits_isRepaired() {
    PoolDriver pool = settled("n4 n5").after(60).web("n4").reading().failed(403).leave("n4");

    pool.shows("n4").has("recovered").shows("n5").has("cancel");

    pool.timer().out("permit REPAIR");
  }

  static Stream<PoolDriver> waitingForOtherThings() {
    return Stream.of(
        drained().web("n5"),
        drained().web("n5").timer(),
        drained().web("n5").reading().throttled(600),
        drained().web("n5").reading());
  }

  @ParameterizedTest
  @MethodSource("waitingForOtherThings")
  void listing_thatShowsARevert_isKept_andANewerSnapshotDoesNotCancelTheDrain(PoolDriver pool) {
    pool.shows("n4 n5").after(1).leave("n4 n6").lacks("cancel");

    assertThat(pool.status().picture().edit().adminStates()).containsOnlyKeys("n4");
  }

  /** A listing that took a minute, beside a verification of a second. */
  @Test
  void view_ofACallThatBeganBeforeTheOneShownLast_isIgnored() {
    PoolDriver pool = drained().after(60).shows("n4/Down n5");
    var verification = pool.now();

    pool.shows(pool("n4 n5"), verification.minusSeconds(1)).lacks("turn");
    pool.shows(pool("n4 n5"), verification).has("permit DRAIN 1/2");
  }

  /** Nodes that come and go make levels faster than listings end. */
  @Test
  void view_fromBeforeALevelWithTheSameLeavingNodes_isReportedForThatLevel() {
    PoolDriver pool = settled("n4 n5").after(60).leave("n6");
    var listing = pool.after(1).now();

    pool.after(4).leave("n6").shows(pool("n4 n5"), listing).has("report 2");
    pool.after(4).leave("n7").shows(pool("n4 n5"), listing.plusSeconds(1)).lacks("report");
  }

  @Test
  void readOfADrain_thatIsGivenBack_isKept() {
    PoolDriver pool = drained().shows("n4 n5").granted().read(updating("n4 n5")).wakes(1);

    pool.leave("n4 n6").out("").wakes(1).timer().out("permit DRAIN 1/2");
  }

  /** The GET fails while a change is parked: the drain backs off, and no snapshot changes that. */
  @Test
  void failingGet_whileAChangeIsParked_backsOffAsDocumented() {
    PoolDriver pool = drained().web("n5").reading().throttled(600).after(1).shows("n4 n5");
    for (double wait : new double[] {22.5, 45, 90, 180}) {
      pool.granted().failed(403).wakes(wait).after(1).leave("n4").wakes(wait - 1);
      pool.shows("n4 n5").timer().out("permit DRAIN_RETRY 1/2");
    }
  }

  /** The PUT may have come through: the view from before it cannot say that nothing is wrong. */
  @Test
  void put_thatFailed_keepsTheDrainUntilACallShowsThePool() {
    PoolDriver pool = draining().read("n4 n5").failed(412).wakes(0.75).leave("").wakes(0.75);
    pool.copy().writing("n4/Down n5").has("put n4/None");

    PoolDriver returned = draining().read("n4 n5").leave("").failed(412).leave("n6").wakes(0.75);
    returned.shows("n4 n5").rests();
  }

  @Test
  void poolIsGone_isSilent_andADrainIsTriedOnlyOnceACallShowsThePool() {
    PoolDriver pool = draining().failed(404).rests();

    pool.out("return UNREAD; listing").after(1).shows("n4 n5").has("permit DRAIN 1/2");
  }

  @Test
  void attempt_thatTheEndOfTheProcessAbandons_isSilent_andTheDrainGoesOn() {
    ArmFailure end = new ArmFailure(ArmFailure.Kind.SHUTDOWN, 0, "", "stops");

    draining().failed(end).out("return UNREAD").wakes(1);
    draining().read("n4 n5").failed(end).out("return UNRESOLVED").wakes(1);
  }

  /** A wish that is reversed need not wait for the backoff of the one before. */
  @Test
  void reversed_afterManyFailures_waitsForTheFirstDelay() {
    PoolDriver pool = draining().failed(403);
    for (int failures = 1; failures < 5; failures++) {
      pool.reading().failed(403);
    }

    pool.after(1).leave("").out("").wakes(22.5).timer().granted().failed(403).rests();
  }

  /** A taint that comes and goes does not go round the backoff. */
  @Test
  void reversed_againAndAgain_beginsAnewOnceAMinute() {
    PoolDriver pool = draining().failed(403).leave("").wakes(22.5);
    pool.after(1).leave("n4").has("permit DRAIN 1/2").granted().failed(403).wakes(22.5);

    for (int flap = 0; flap < 5; flap++) {
      pool.after(1).leave("").lacks("turn").after(1).leave("n4").lacks("turn");
    }
    pool.wakes(12.5).timer().granted().failed(403).wakes(45).leave("n4 n5").wakes(37.5);
    pool.timer().out("permit DRAIN 1/1");
  }

  /** As in a rolling upgrade: another node leaves or returns during each PUT. */
  @Test
  void put_thatMeetsALevelEachTime_backsOffAllTheSame() {
    PoolDriver pool = draining();
    for (double wait : new double[] {0.75, 1.5, 3, 6, 12}) {
      pool.read("n4 n5").leave(wait == 0.75 || wait == 3 || wait == 12 ? "n4 n9" : "n4");
      pool.failed(412).wakes(wait).timer().granted();
    }
  }

  /** The failure was of n4, which is Down by now. */
  @Test
  void failed_thenWritten_isNoFailureOfANodeThatLeavesLater() {
    PoolDriver pool = draining().failed(412).reading().read("n4 n5").written().leave("n4 n5");

    pool.shows("n4/Down n5").has("report 2 pending n5").lacks("failed");
  }

  /** The change waits for the spacing of writes, and the drain does not. */
  @Test
  void putOfBoth_thatDoesNotFindThePool_isReadAgainTwoSecondsLater() {
    PoolDriver pool = settled("n4 n5").after(60).web("n5").writing("n4 n5").written().after(3);
    pool.web("n4 n5").leave("n4").granted().read("n5").written().after(1);

    pool.web("n5").leave("n4 n5").granted().read("n4/Down n5").failed(404).wakes(2);
  }

  @Test
  void put_thatDoesNotFindThePool_isSilentOnce() {
    PoolDriver pool = draining().read("n4 n5").failed(404).out("return FAILED; listing").wakes(2);

    pool.copy().reading().failed(404).lacks("drain failed", "report").rests();
    pool.writing("n4 n5").failed(404).has("drain failed").wakes(1.5);
  }
}
