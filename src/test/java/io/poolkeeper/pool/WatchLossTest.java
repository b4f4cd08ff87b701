package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Architecture, Lost watches: what a pool does while a watch of the cluster is lost. What becomes
 * of changes is in {@link WatchLossChangeTest}.
 */
class WatchLossTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  static final PoolEvent LOST = new PoolEvent.WatchLost(10);
  static final PoolEvent LIVE = new PoolEvent.WatchesLive();

  /** A pool of n4 and n5 as desired, whose watch is lost. */
  static PoolDriver lost() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5").after(MINUTE);
    assertThat(pool.send(LOST)).isEmpty();
    return pool;
  }

  static void assertDue(PoolDriver pool) {
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
  }

  static List<PoolEffect> live(PoolDriver pool) {
    return pool.after(MINUTE).send(LIVE);
  }

  @Test
  void drift_isNotRepairedUntilTheWatchIsLive() {
    PoolDriver pool = lost();

    assertThat(pool.observed(pool.now(), "n4=10.0.0.4", "n6=10.0.0.6")).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());

    assertThat(live(pool)).isEmpty();
    assertDue(pool);
    assertThat(pool.state().queue().repair()).isTrue();
    pool.toWriting("n4=10.0.0.4", "n6=10.0.0.6");
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.6", "+n5=10.0.0.5"));
  }

  @Test
  void live_nothingWithheldAndNoDrift_restsOn() {
    PoolDriver pool = lost();

    assertThat(live(pool)).isEmpty();

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(pool.observed(pool.now(), "n4=10.0.0.4")).isEmpty();
    assertDue(pool);
  }

  @Test
  void live_neverSeen_restsOn() {
    PoolDriver pool = new PoolDriver(LIMITS);
    pool.send(LOST);

    assertThat(pool.send(LIVE)).isEmpty();

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void live_withoutALoss_changesNothing() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    PoolState before = pool.state();

    assertThat(pool.send(LIVE)).isEmpty();

    assertThat(pool.state()).isEqualTo(before);
  }

  @Test
  void failedPool_isNotRepairedUntilTheWatchIsLive() {
    PoolDriver pool = PoolCoreFailureTest.failed();
    Instant repair = pool.state().wakeAt().orElseThrow();

    pool.send(LOST);
    assertThat(pool.state().wakeAt()).isEmpty();
    assertThat(pool.at(repair).send(new PoolEvent.TimerDue())).isEmpty();
    assertThat(pool.observed(pool.now(), "n5=10.0.0.5")).as("what is right is not known").isEmpty();
    pool.observed(pool.now(), "n4=10.0.0.4");
    assertThat(pool.phase()).isEqualTo(new Phase.Failed(repair));

    pool.send(LIVE);
    assertThat(pool.state().wakeAt()).contains(repair);
  }

  @Test
  void failedPool_equalLevelWhileLost_isDueWhenTheWatchIsLive() {
    PoolDriver pool = PoolCoreFailureTest.failed();
    pool.send(LOST);

    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    assertThat(pool.state().wakeAt()).isEmpty();

    pool.send(new PoolEvent.Observed(pool("n4=10.0.0.4"), pool.now()));
    live(pool);
    assertThat(pool.state().queue().operations())
        .extracting(UpdateQueue.Operation::service)
        .containsExactly(WEB);
  }

  @Test
  void postponedRepair_doesNotComeUntilTheWatchIsLive() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    for (int i = 0; i < 2; i++) {
      pool.after(MINUTE).observed(pool.now());
      pool.toWriting().written();
    }
    pool.after(MINUTE).observed(pool.now());
    Instant repair = pool.state().wakeAt().orElseThrow();

    pool.send(LOST);
    assertThat(pool.state().wakeAt()).isEmpty();

    pool.send(LIVE);
    assertThat(pool.state().wakeAt()).contains(repair);
  }

  @Test
  void repairThatGathersOrWaits_isGivenUp() {
    PoolDriver gathering = PoolDriver.settled(WEB_1, "n4=10.0.0.4").after(MINUTE);
    gathering.observed(gathering.now());
    PoolDriver waiting = gathering.copy();
    waiting.fire();

    assertThat(gathering.send(LOST)).isEmpty();
    assertThat(gathering.phase()).isEqualTo(new Phase.Idle());
    assertThat(waiting.send(LOST)).containsExactly(new PoolEffect.CancelTurn());
    assertThat(waiting.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void repairThatReads_writesNothing() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4").after(MINUTE);
    pool.observed(pool.now());
    pool.toReading();
    pool.send(desire(API_2, "n4=10.0.0.4", "n6=10.0.0.6"));
    pool.send(LOST);

    assertThat(pool.read()).containsExactly(PoolFixtures.unchanged(1));

    assertDue(pool);
    assertThat(pool.toWriting().effects())
        .containsExactly(pool.write("+n4=10.0.0.4", "+n6=10.0.0.6"));
  }

  @Test
  void repairThatReads_poolIsAsDesired_turnsClean() {
    PoolDriver pool = PoolCoreFailureTest.repairing();
    pool.send(LOST);

    assertThat(pool.read("n5=10.0.0.5"))
        .containsExactly(PoolFixtures.unchanged(2), PoolFixtures.CLEAN);
  }

  @Test
  void lostAgainWhileLost_keepsWhatIsKnown() {
    PoolDriver pool = lost();
    pool.send(desire(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6"));
    PoolState before = pool.state();

    assertThat(pool.send(new PoolEvent.WatchLost(20))).isEmpty();

    assertThat(pool.state()).isEqualTo(before);
  }

  @Test
  void status_whileLost_saysSo() {
    PoolDriver pool = lost();

    assertThat(PoolStatus.of(POOL, pool.state()).why())
        .isEqualTo("a watch of the cluster is lost; nothing is removed or repaired");
    pool.send(LIVE);
    assertThat(PoolStatus.of(POOL, pool.state()).why()).isEmpty();
  }

  @Test
  void failed_whileLost_keepsItsTimerForLater() {
    PoolDriver pool = lost();
    pool.send(desire(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6"));
    pool.toReading().failed(FORBIDDEN);

    assertThat(pool.phase()).isInstanceOf(Phase.Failed.class);
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  @Test
  void stopped_pool_ignoresBoth() {
    PoolDriver pool = lost();
    pool.send(new PoolEvent.Stop());

    assertThat(pool.send(LIVE)).isEmpty();
    assertThat(pool.send(LOST)).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Stopped());
  }
}
