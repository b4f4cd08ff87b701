package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is due behind a drain that waits for its turn has its timer, as if there were no drain. */
class BehindDrainTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String[] BOTH = {"n4=10.0.0.4", "n5=10.0.0.5"};

  /** A pool of n4 and n5 that was written right now. */
  private static PoolDriver written() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, BOTH));
    pool.toWriting("n4=10.0.0.4").written();
    return pool;
  }

  /** A pool of n4 and n5 in which n5 alone is wanted, which ARM has refused right now. */
  private static PoolDriver failed() {
    PoolDriver pool = PoolDriver.settled(WEB_1, BOTH);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading().failed(FORBIDDEN);
    return pool;
  }

  private static PoolDriver draining(PoolDriver pool) {
    pool.send(new PoolEvent.NodesOutOfService(leaving(1, "n4"), pool.now()));
    assertThat(pool.phase()).isInstanceOf(Phase.Waiting.class);
    return pool;
  }

  @Test
  void change_hasTheTimerOfItsSpacing_andGoesWithTheTurnOfARetriedDrain() {
    PoolDriver pool = draining(written());
    Instant end = pool.now();
    pool.send(PoolFixtures.granted(8));
    pool.failed(CONFLICT);
    assertThat(pool.fire()).containsExactly(PoolFixtures.drain(Lane.DRAIN_RETRY, 1, 2));

    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.state().wakeAt()).contains(end.plus(MIN_INTERVAL));
    assertThat(pool.fire()).as("the drain has more to pay with").isEmpty();
    pool.send(PoolFixtures.granted(9));
    assertThat(pool.read(BOTH)).contains(pool.write("-10.0.0.4"));
  }

  @Test
  void repair_hasItsTimer_andGoesWithTheTurnOfTheDrain() {
    PoolDriver pool = draining(failed());

    assertThat(pool.state().wakeAt()).contains(pool.now().plusMillis(11_250));

    assertThat(pool.fire()).as("the drain is more urgent").isEmpty();
    assertThat(pool.state().wakeAt()).isEmpty();
    pool.send(PoolFixtures.granted(9));
    assertThat(pool.read(BOTH)).contains(pool.write("-10.0.0.4"));
  }

  @Test
  void repair_dueWhenTheNodeReturns_keepsItsTurn() {
    PoolDriver pool = draining(failed());
    pool.fire();

    assertThat(pool.send(new PoolEvent.NodesOutOfService(leaving(2), pool.now())))
        .containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.REPAIR)));
  }

  @Test
  void retryAfter_hasItsTimer() {
    PoolDriver pool = PoolDriver.settled(WEB_1, BOTH);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading().failed(PoolFixtures.throttled(pool.now().plusSeconds(40)));
    Instant until = pool.now().plusSeconds(40);

    draining(pool);

    assertThat(pool.state().wakeAt()).contains(until);
    pool.at(until.minusNanos(1)).send(new PoolEvent.TimerDue());
    assertThat(((Phase.Waiting) pool.phase()).interrupted()).isPresent();
    pool.at(until).send(new PoolEvent.TimerDue());
    assertThat(((Phase.Waiting) pool.phase()).interrupted()).isEmpty();
  }

  @Test
  void otherRecovered_movesTheRepairForward() {
    PoolDriver pool = failed();
    Instant end = pool.now();
    pool.toReading().failed(FORBIDDEN);
    pool.toReading().failed(FORBIDDEN);
    Instant third = pool.now();
    draining(pool);
    assertThat(pool.state().wakeAt()).contains(third.plusMillis(45_000));

    pool.after(SECOND).send(new PoolEvent.OtherRecovered());

    assertThat(pool.state().wakeAt()).contains(third.plusMillis(11_250));
    assertThat(third).isAfter(end);
  }

  @Test
  void touchedSlice_movesTheRepairForward() {
    PoolDriver pool = failed();
    Instant end = pool.now();
    draining(pool);

    pool.after(SECOND).send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.state().wakeAt()).contains(end.plus(MIN_INTERVAL));
  }

  @Test
  void touchedSlice_whileTheDrainIsInFlight_movesTheRepairForward() {
    PoolDriver pool = failed();
    Instant end = pool.now();
    draining(pool).send(PoolFixtures.granted(9));

    pool.after(SECOND).send(desire(WEB_1, "n5=10.0.0.5"));
    pool.read(BOTH);
    pool.written();

    assertThat(pool.state().wakeAt()).contains(end.plus(MIN_INTERVAL));
  }

  @Test
  void damage_isRepairedWhenTheSpacingAllowsIt() {
    PoolDriver pool = draining(written());
    Instant end = pool.now();

    pool.after(SECOND).observed(pool.now(), "n4=10.0.0.4");

    assertThat(pool.state().wakeAt()).contains(end.plus(MIN_INTERVAL));
  }

  @Test
  void endOfALostWatch_repairsWhatDrifted() {
    PoolDriver pool = written();
    Instant end = pool.now();
    pool.send(new PoolEvent.WatchLost(5));
    draining(pool);
    pool.after(SECOND).observed(pool.now(), "n4=10.0.0.4");
    assertThat(pool.state().wakeAt()).isEmpty();

    pool.send(new PoolEvent.WatchesLive());

    assertThat(pool.state().wakeAt()).contains(end.plus(MIN_INTERVAL));
  }

  @Test
  void hold_withholdsIt_andItsEndDoesNot() {
    PoolDriver pool = draining(failed());
    Instant repairAt = pool.now().plusMillis(11_250);

    pool.send(PoolFixtures.HELD);
    assertThat(pool.state().wakeAt()).isEmpty();

    pool.send(PoolFixtures.ADMITTED);
    assertThat(pool.state().wakeAt()).contains(repairAt);
  }

  /** The other way round: a drain that is to wait does not wait for the turn of a change. */
  @Test
  void drain_backsOffBehindAChangeThatWaits_hasItsTimer() {
    PoolDriver pool = draining(written());
    Instant end = pool.now();
    pool.send(PoolFixtures.granted(8));
    pool.after(Duration.ofMillis(1_500)).failed(CONFLICT);
    Instant drainAt = pool.now().plusMillis(750);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.fire();
    assertThat(pool.now()).isEqualTo(end.plus(MIN_INTERVAL));

    assertThat(pool.state().wakeAt()).contains(drainAt);
    assertThat(pool.fire()).containsExactly(PoolFixtures.drain(Lane.DRAIN_RETRY, 1, 2));
    assertThat(pool.state().wakeAt()).isEqualTo(Optional.of(end.plus(INTERVAL)));
  }
}
