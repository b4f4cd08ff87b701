package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;

import org.junit.jupiter.api.Test;

/** What a failed pool makes of the news that another one recovered. */
class PoolCoreSignTest {
  /** A pool that failed so often, the last time just now. */
  private static PoolDriver failedTimes(int failures) {
    PoolDriver pool = changed();
    for (int i = 0; i < failures; i++) {
      pool.reading().failed(403);
    }
    return pool;
  }

  private static PoolDriver otherRecovered(PoolDriver pool) {
    return pool.send(new PoolEvent.OtherRecovered()).out("");
  }

  @Test
  void otherRecovered_failedAMinuteAgo_repairsAtOnce() {
    otherRecovered(failedTimes(6).after(60)).wakes(0).timer().out("permit REPAIR");
  }

  @Test
  void otherRecovered_failedJustNow_waitsTheShortestDelayAndTwiceAsLongAfterEachAttempt() {
    PoolDriver pool = otherRecovered(failedTimes(6)).wakes(11.25);

    otherRecovered(pool).wakes(11.25).reading().failed(403);
    otherRecovered(pool).wakes(22.5).reading().failed(403);
    otherRecovered(pool).wakes(45);
  }

  @Test
  void otherRecovered_ownTimerIsSooner_changesNothing() {
    PoolDriver pool = otherRecovered(failedTimes(1)).wakes(11.25).reading().failed(403);

    otherRecovered(pool).wakes(11.25);
  }

  @Test
  void otherRecovered_beforeTheNextWriteMayCome_waitsForThat() {
    PoolDriver pool = new PoolDriver(PoolFixtures.limits(INTERVAL, true, 3)).web("n5");
    for (int i = 0; i < 5; i++) {
      pool.writing("n4").failed(403);
    }

    otherRecovered(pool).wakes(30);
  }

  @Test
  void otherRecovered_beforeArmTakesCallsAgain_waitsForThat() {
    otherRecovered(failedTimes(5).reading().throttled(40)).wakes(40);
  }

  @Test
  void otherRecovered_afterASuccess_beginsAgainWithTheShortestDelay() {
    PoolDriver pool = otherRecovered(failedTimes(6)).writing("n4").written().after(30).web("n6");
    for (int i = 0; i < 4; i++) {
      pool.reading().failed(403);
    }

    otherRecovered(pool).wakes(11.25);
  }

  @Test
  void otherRecovered_poolThatDidNotFail_changesNothing() {
    otherRecovered(changed()).is("Gathering", 0).wakes(0.1);
    otherRecovered(PoolDriver.settled("n4")).is("Idle").rests();
  }
}
