package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.ADMITTED;
import static io.poolkeeper.pool.PoolFixtures.HELD;

import org.junit.jupiter.api.Test;

/**
 * What is due behind a drain that waits for its permit has its timer, as if there were no drain.
 */
class BehindDrainTest {
  /** A pool of n4 and n5 that was written right now. */
  private static PoolDriver written() {
    return settled("n4").web("n4 n5").writing("n4").written();
  }

  /** A pool of n4 and n5 in which n5 alone is wanted, which ARM has refused right now. */
  private static PoolDriver failed() {
    return settled("n4 n5").web("n5").reading().failed(403);
  }

  @Test
  void change_hasTheTimerOfItsSpacing_andGoesWithThePermitOfARetriedDrain() {
    PoolDriver pool = written().leave("n4").granted().failed(412);
    pool.timer().out("permit DRAIN_RETRY 1/2");

    pool.web("n5").wakes(1.25).timer().out("").granted().read("n4 n5").has("put -4");
  }

  @Test
  void repair_hasItsTimer_andGoesWithThePermitOfTheDrain() {
    PoolDriver pool = failed().leave("n4").wakes(11.25).timer().out("").rests();

    pool.copy().leave("").out("permit REPAIR");
    pool.granted().read("n4 n5").has("put -4");
  }

  @Test
  void retryAfter_hasItsTimer() {
    PoolDriver pool = settled("n4 n5").web("n5").reading().throttled(40).leave("n4").wakes(40);

    PoolDriver early = pool.copy().after(39.999).tick().wakes(0.001).granted();
    early.read("n4 n5").has("put n4/Down");
    pool.timer().granted().read("n4 n5").has("put -4");
  }

  @Test
  void otherRecovered_movesTheRepairForward() {
    PoolDriver pool = failed().reading().failed(403).reading().failed(403).leave("n4").wakes(45);

    pool.after(1).send(new PoolEvent.OtherRecovered()).wakes(10.25);
  }

  @Test
  void touchedSlice_movesTheRepairForward_beTheDrainInFlightOrNot() {
    failed().leave("n4").after(1).web("n5").wakes(1);

    failed().leave("n4").granted().after(1).web("n5").read("n4 n5").written().wakes(1);
  }

  @Test
  void damage_isRepairedWhenTheSpacingAllowsIt_orWhenTheWatchIsLive() {
    PoolDriver pool = written().leave("n4");

    pool.copy().after(1).shows("n4").wakes(1);
    pool.send(new PoolEvent.WatchLost(5)).after(1).shows("n4").rests();
    pool.send(new PoolEvent.WatchesLive()).wakes(1);
  }

  @Test
  void hold_withholdsIt_andItsEndDoesNot() {
    failed().leave("n4").send(HELD).rests().send(ADMITTED).wakes(11.25);
  }

  /** The other way round: a drain that is to wait does not wait for the permit of a change. */
  @Test
  void drain_backsOffBehindAChangeThatWaits_hasItsTimer() {
    PoolDriver pool = written().leave("n4").granted().after(1.5).failed(412).web("n5").wakes(0.5);

    pool.timer().wakes(0.25).timer().out("permit DRAIN_RETRY 1/2").wakes(27.75);
  }
}
