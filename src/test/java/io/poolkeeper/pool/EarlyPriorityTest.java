package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** At which priority level a pool waits for its permit when its last write was a short time ago. */
class EarlyPriorityTest {
  /** A pool of n5 that was written just now. */
  private static PoolDriver written(PoolLimits limits) {
    return new PoolDriver(limits).web("n5").writing("n4").written();
  }

  /** A change whose attempt met a conflict just now. */
  private static PoolDriver retrying() {
    return changed().reading().failed(412);
  }

  @Test
  void change_soonerThanAnIntervalAfterTheLastWrite_isEarly() {
    PoolDriver pool = written(LIMITS).web("n6").wakes(2).timer().out("permit EARLY").wakes(28);

    assertThat(pool.status().activity().until()).as("no time to go on").isEmpty();
    pool.granted().out("read");
  }

  @Test
  void change_whenTheIntervalHasPassed_isNotEarly() {
    written(LIMITS).after(29.9).web("n6").timer().out("permit UPDATE").rests();
    written(PoolFixtures.limits(INTERVAL, true, 3)).web("n6").timer().out("permit UPDATE");
  }

  @Test
  void timer_anEarlyOneWaitedUntilTheIntervalHadPassed_movesToUpdate() {
    PoolDriver pool = written(LIMITS).web("n6").timer();

    pool.after(27.999).tick().out("").wakes(0.001);
    pool.timer().out("permit UPDATE").rests().tick().out("");
  }

  @Test
  void change_besideARetry_waitsAsTheRetryAndThenAsAnUpdate() {
    PoolDriver pool = retrying().api("n7").wakes(2);

    pool.timer().out("permit RETRY").wakes(28).timer().out("permit UPDATE");
  }

  @Test
  void change_besideAWaitingRetry_keepsTheLevelAndSetsTheTimer() {
    PoolDriver pool = retrying().timer().out("permit RETRY").rests();

    pool.api("n7").out("").wakes(28).release(API).out("").rests();
  }

  @Test
  void retry_leavesTheGroupOfAnEarlyChange_whichIsEarlyThen() {
    retrying().api("n7").timer().release(WEB).out("permit EARLY");
  }

  @Test
  void repair_soonAfterAWrite_goesAtTheSpacingAndIsNeverEarly() {
    PoolDriver pool = written(LIMITS).after(0.5).shows("n5 stale=9").wakes(1.5);

    pool.timer().out("permit REPAIR").rests().web("n6").out("permit EARLY");
  }

  @Test
  void repairOrRetry_movesTheEndOfTheSpacingNotItsLength() {
    PoolDriver repaired = written(LIMITS).after(1).shows("n5 stale=9").writing("n5 stale=9");
    PoolDriver retried = changed().writing("n4").failed(412).writing("n4");

    repaired.after(1).written().web("n6").wakes(2);
    retried.after(1).written().web("n6").wakes(2);
  }

  @Test
  void reads_thatFailOnAndOn_areSpacedAsWritesAre() {
    PoolDriver pool = changed().reading().failed(403);
    for (int seconds : new int[] {2, 4, 8, 16, 30}) {
      pool.web("n6 n" + seconds).wakes(seconds).reading().failed(403);
    }
  }
}
