package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolFixtures.RESET;
import static io.poolkeeper.pool.PoolFixtures.STOP;
import static io.poolkeeper.pool.PoolFixtures.WEB;

import org.junit.jupiter.api.Test;

/** After Stop nothing is begun and nothing is reported; what is in flight finishes quietly. */
class PoolCoreStopTest {
  private static PoolDriver stopped(PoolDriver pool) {
    return pool.is("Stopped").rests();
  }

  @Test
  void stop_nothingInFlight_haltsAtOnceAndDropsWhatWaits() {
    stopped(PoolDriver.settled("n4").send(STOP).out(""));
    stopped(changed().send(STOP).out("").tick().out(""));
    stopped(changed().timer().send(STOP).out("cancel"));
    stopped(changed().reading().failed(403).send(STOP).out(""));
  }

  @Test
  void stop_reading_waitsForTheAnswerAndWritesNothing_andNoWriteIsFeared() {
    PoolDriver pool = stopped(changed().reading().send(STOP).out(""));

    stopped(pool.copy().failed(403).out("return UNREAD"));
    stopped(pool.copy().failed(RESET).out("return UNREAD"));
    stopped(pool.copy().read("n4").out("return UNCHANGED"));
  }

  @Test
  void stop_writing_waitsForTheEndAndTellsNobody_andItsEndIsLookedFor() {
    PoolDriver pool = stopped(changed().writing("n4").send(STOP).out(""));

    stopped(pool.copy().written().out("return SUCCEEDED"));
    stopped(pool.copy().failed(RESET).out("return UNRESOLVED"));
  }

  @Test
  void anythingElse_afterStop_isIgnored() {
    PoolDriver pool = changed().writing("n4").send(STOP);

    pool.web("n6").out("").release(WEB).out("").shows("n4").out("").leave("n4").out("");
    pool.tick().out("").send(STOP).out("").send(new PoolEvent.OtherRecovered()).out("");
    pool.send(new PoolEvent.WatchLost(1)).out("").send(new PoolEvent.WatchesLive()).out("");
    stopped(pool.send(PoolFixtures.HELD).out(""));
    pool.copy().send(PoolFixtures.granted(9)).out("return UNUSED");
    pool.send(PoolFixtures.recalled(1, pool.now())).written().out("return SUCCEEDED");
  }
}
