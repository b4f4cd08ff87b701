package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolDriver.refused;
import static io.poolkeeper.pool.PoolDriver.settled;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Architecture, Lost watches: what a pool does while a watch of the cluster is lost. What becomes
 * of changes is in {@link WatchLossChangeTest}.
 */
class WatchLossTest {
  static final PoolEvent LOST = new PoolEvent.WatchLost(10);
  static final PoolEvent LIVE = new PoolEvent.WatchesLive();

  /** A pool of n4 and n5 as desired, whose watch is lost. */
  static PoolDriver lost() {
    return settled("n4 n5").after(60).send(LOST).out("");
  }

  static PoolDriver live(PoolDriver pool) {
    return pool.after(60).send(LIVE).out("");
  }

  @Test
  void drift_isNotRepairedUntilTheWatchIsLive() {
    PoolDriver pool = lost().shows("n4 n6").out("").is("Idle").rests();

    live(pool).wakes(0.1).timer().out("permit REPAIR").granted().read("n4 n6").out("put -6 +n5");
  }

  @Test
  void live_nothingWithheldAndNoDrift_restsOn() {
    live(lost()).is("Idle").rests().shows("n4").out("").wakes(0.1);
    live(new PoolDriver(PoolFixtures.LIMITS).send(LOST)).is("Idle").rests();
    changed().send(LIVE).out("").is("Gathering", 0).wakes(0.1);
  }

  @Test
  void failedPool_isNotRepairedUntilTheWatchIsLive() {
    PoolDriver pool = refused().wakes(10.25).send(LOST).rests().after(10.25).tick().out("");

    pool.shows("n5").out("").shows("n4").is("Failed").rests();
    pool.send(LIVE).wakes(0);
  }

  @Test
  void failedPool_equalLevelWhileLost_isAChangeThatIsDueWhenTheWatchIsLive() {
    PoolDriver pool = refused().send(LOST).web("n5").rests().shows("n4");

    live(pool).timer().out("permit UPDATE");
  }

  @Test
  void failed_whileLost_isDueWhenTheWatchIsLive() {
    lost().web("n4 n5 n6").reading().failed(403).is("Failed").rests().send(LIVE).wakes(2);
  }

  @Test
  void postponedRepair_doesNotComeUntilTheWatchIsLive() {
    PoolDriver pool = settled("n4").after(60).shows("n4 n9");
    for (int i = 0; i < 2; i++) {
      pool.writing("n4 n9").written().after(60).shows("n4 n9");
    }

    pool.is("Postponed").send(LOST).rests().send(LIVE).wakes(30);
  }

  @Test
  void repairThatGathersOrWaits_isGivenUp() {
    PoolDriver pool = settled("n4").after(60).shows("");

    pool.copy().send(LOST).out("").is("Idle").rests();
    pool.timer().send(LOST).out("cancel").is("Idle").rests();
  }

  @Test
  void repairThatReads_writesNothing() {
    PoolDriver pool = settled("n4").after(60).shows("").reading().api("n4 n6").send(LOST);

    pool.read("").out("return UNCHANGED").wakes(0.1).writing("").out("put +n4 +n6");
    refused().reading().send(LOST).read("n5").out("return UNCHANGED; recovered");
  }

  @Test
  void lostAgainWhileLost_keepsWhatIsKnown() {
    PoolDriver pool = lost().web("n4 n5 n6").send(new PoolEvent.WatchLost(20)).out("").wakes(0.1);

    pool.writing("n4").out("put +n6");
  }

  @Test
  void status_whileLost_saysSo() {
    PoolDriver pool = lost();

    assertThat(pool.status().activity().why())
        .isEqualTo("a watch of the cluster is lost; nothing is removed or repaired");
    assertThat(pool.send(LIVE).status().activity().why()).isEmpty();
  }
}
