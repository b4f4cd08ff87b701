package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.limits;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Architecture, Invariants: when a pool is written, how often, and with which level. */
class PoolCorePaceTest {
  private static final PoolLimits TICKING = limits(PoolFixtures.MIN_INTERVAL, false, 3);

  /** A pool whose write, of a second, has just ended: n4 became n5. */
  private static PoolDriver written() {
    return changed().writing("n4").after(1).written();
  }

  @Test
  void attempt_oneChange_takesAPermitReadsWritesAndTellsOnce() {
    PoolDriver pool = changed().out("").wakes(0.1);

    pool.timer().out("permit UPDATE").granted().out("read").read("n4").out("put -4 +n5");
    pool.after(1).written().out("return SUCCEEDED; web updated; count updated PT1S; verification");
    assertThat(pool.is("Idle").rests().status().attempts().writes()).isEqualTo(1);
  }

  @Test
  void desires_onAndOn_areWrittenAtASpacingThatDoublesUpToTheInterval() {
    PoolDriver pool = written();

    for (int seconds : new int[] {2, 4, 8, 16, 30, 30, 30}) {
      Instant ended = pool.now();
      pool.web("n6 n" + seconds).wakes(seconds).after(1).web("n7").wakes(seconds - 1);
      pool.writing("n5").after(1).written();
      assertThat(pool.now()).isEqualTo(ended.plusSeconds(seconds + 1));
    }
  }

  @Test
  void desire_quietAgain_beginsTheSeriesAnew() {
    PoolDriver pool = written().web("n6").writing("n5").written();

    pool.after(30).web("n7").wakes(0.1).writing("n6").written();

    pool.web("n8").wakes(2);
  }

  @Test
  void desire_withoutLeadingEdge_isDueAnIntervalLater_andAtTheEndOfTheIntervalThen() {
    PoolDriver pool = new PoolDriver(TICKING).web("n5").wakes(30).writing("n4").written();

    pool.after(1).web("n6").wakes(29);
  }

  @Test
  void desires_manyWhileGathering_areOneAttemptAndNotPutOff() {
    PoolDriver pool = changed();
    for (int i = 6; i < 96; i++) {
      pool.after(0.001).web("n4 n=" + i).api("n4 m=10.0.1." + i);
    }

    pool.wakes(0.01).is("Gathering", 0, 0).writing("n4").out("put +n=95 +m=10.0.1.95");
    pool.written().out("return SUCCEEDED; web updated; api updated; count updated; verification");
  }

  @Test
  void desire_whileWaitingOrReading_isWrittenByTheSameAttempt() {
    PoolDriver pool = changed().timer().web("n6").out("").granted();

    pool.copy().web("n7").out("").read("n4").out("put -4 +n7");
    pool.read("n4").out("put -4 +n6").written().is("Idle");
  }

  @Test
  void desire_whileWriting_goesNextAfterTheSpacing() {
    PoolDriver pool = changed().writing("n4").after(1).web("n6").out("");

    pool.after(1).written().wakes(2).writing("n5").out("put -5 +n6");
  }

  @Test
  void desire_firstOne_isEnqueuedUnlessAListingShowsItSo() {
    settled("n4").out("").is("Idle");
    new PoolDriver(LIMITS).web("n4").wakes(0.1);
  }

  @Test
  void desire_sameAgain_changesNothing() {
    changed().after(0.05).web("n5").out("").wakes(0.05).is("Gathering", 0);
  }

  @Test
  void desire_otherKnownNodes_readsOnlyAPoolThatNeedsAnEdit() {
    PoolDriver pool = new PoolDriver(LIMITS).shows("n4 n7").send(keeping("n4", "n4 n5"));

    pool.out("").is("Idle").copy().send(keeping("n4", "n4 n5 n6")).out("").is("Idle");
    pool.send(keeping("n4", "n4 n5 n7")).wakes(0.1);
  }

  /** One of the Service's nodes is unknown: what belongs to none of these stays. */
  private static PoolEvent.Desire keeping(String members, String known) {
    return PoolFixtures.desire(
        WEB_1,
        new Level.Exactly(
            PoolFixtures.members(members),
            Optional.of(PoolFixtures.known(PoolFixtures.members(known)))));
  }

  @Test
  void desire_unknown_enqueuesNothingAndRemovesNothingLater() {
    PoolDriver pool = settled("n4").send(PoolFixtures.desire(WEB_1, PoolFixtures.unknown()));

    pool.out("").is("Idle").api("n5").writing("n4").out("put +n5");
  }

  @Test
  void read_poolAlreadyAsWished_endsQuietly_andLeavesTheNextChangeAtTheLeadingEdge() {
    PoolDriver pool = changed().writing("n5").out("return UNCHANGED; verification").is("Idle");

    pool.after(1).web("n6").wakes(0.1);
  }

  @Test
  void read_entryWithoutAddress_leavesThePoolAloneQuietly() {
    changed()
        .writing("n4 nic")
        .out(
            "alone: a member is a network interface (an entry without ipAddress); return UNCHANGED")
        .is("Idle");
  }

  @Test
  void timer_beforeItIsDueOrWhileNothingIsGathered_isIgnored() {
    settled("n4").tick().out("");
    changed()
        .after(0.1)
        .at(changed().now().plus(Duration.ofMillis(100).minusNanos(1)))
        .tick()
        .out("")
        .is("Gathering", 0);
  }

  @Test
  void read_scaledToZero_emptiesThePool() {
    settled("n4").web("").writing("n4 stale=9").out("put -4 -9");
  }

  @Test
  void desire_firstOneDuringAPut_goesNext() {
    PoolDriver pool = settled("n4 n5").web("n4").writing("n4 n5");

    pool.copy().api("n4").written().writing("n4").lacks("put").is("Idle");
    pool.api("n4 n5").written().writing("n4").out("put +n5");
  }
}
