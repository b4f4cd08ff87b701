package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.READ;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.granted;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.unchanged;
import static io.poolkeeper.pool.PoolFixtures.well;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Members of a pool are not written while that is held (architecture, Invariants). */
class PoolHoldTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final PoolEvent HELD = PoolFixtures.HELD;
  private static final PoolEvent ADMITTED = PoolFixtures.ADMITTED;
  private static final PoolEffect UPDATE = new PoolEffect.RequestTurn(Priority.of(Lane.UPDATE));
  private static final PoolEffect DRAIN = PoolFixtures.drain(Lane.DRAIN, 1, 1);

  /** A pool of n4, as desired. */
  private static PoolDriver settled() {
    return PoolDriver.settled(WEB_1, "n4=10.0.0.4").after(HOUR);
  }

  /** Its Service has moved from n4 to n5. */
  private static PoolDriver changed() {
    PoolDriver pool = settled();
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    return pool;
  }

  private static PoolEvent n4Leaves(PoolDriver pool) {
    return new PoolEvent.NodesOutOfService(leaving(1, "n4"), pool.now());
  }

  @Test
  void change_whileHeld_waitsWithoutATimer_andGoesAtOnceWhenAdmitted() {
    PoolDriver pool = settled();
    pool.send(HELD);

    assertThat(pool.send(desire(WEB_1, "n5=10.0.0.5"))).isEmpty();

    assertThat(pool.state().wakeAt()).isEmpty();
    assertThat(PoolStatus.of(POOL, pool.state()))
        .extracting(PoolStatus::state, PoolStatus::why)
        .containsExactly("Held", "a check is pending");
    pool.after(HOUR).send(ADMITTED);
    assertThat(pool.state().wakeAt().orElseThrow()).isBefore(pool.now());
    assertThat(pool.send(new PoolEvent.TimerDue())).containsExactly(UPDATE);
  }

  @Test
  void hold_whileWaiting_leavesTheLine() {
    PoolDriver pool = changed();
    pool.fire();

    assertThat(pool.send(HELD)).containsExactly(new PoolEffect.CancelTurn());

    assertThat(pool.retries()).containsExactly(0);
    assertThat(pool.send(granted(1))).containsExactly(PoolFixtures.unread(1));
  }

  @Test
  void hold_duringTheRead_putsTheChangeBackWithoutARetry() {
    PoolDriver pool = changed().toReading();
    pool.send(HELD);

    assertThat(pool.read("n4=10.0.0.4")).containsExactly(unchanged(1));

    assertThat(pool.retries()).containsExactly(0);
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  @Test
  void hold_duringTheWrite_letsItEnd() {
    PoolDriver pool = changed().toWriting("n4=10.0.0.4");
    pool.send(HELD);

    assertThat(pool.written()).contains(well(1), PoolFixtures.emitUpdated(WEB_1));
  }

  @Test
  void drain_whileHeld_goesAlone() {
    PoolDriver pool = changed();
    pool.send(HELD);

    assertThat(pool.send(n4Leaves(pool))).containsExactly(DRAIN);

    assertThat(pool.send(granted(1))).containsExactly(READ);
    assertThat(pool.read("n4=10.0.0.4")).contains(pool.write("n4 Down"));
    pool.written();
    assertThat(pool.retries()).containsExactly(0);
  }

  @Test
  void hold_whileAChangeAndADrainWait_leavesTheDrainInLineAlone() {
    PoolDriver pool = changed();
    pool.fire();
    assertThat(pool.send(n4Leaves(pool))).containsExactly(DRAIN);

    pool.send(HELD);

    pool.send(granted(1));
    assertThat(pool.read("n4=10.0.0.4")).contains(pool.write("n4 Down"));
  }

  @Test
  void repair_whileHeld_waits() {
    PoolDriver pool = settled();
    pool.send(HELD);

    assertThat(pool.observed(pool.now(), "n4=10.0.0.4", "stranger=10.0.0.9"))
        .noneMatch(PoolEffect.RequestTurn.class::isInstance);

    assertThat(pool.state().wakeAt()).isEmpty();
    pool.after(HOUR).send(ADMITTED);
    assertThat(pool.send(new PoolEvent.TimerDue()))
        .containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.REPAIR)));
  }

  @Test
  void failedPool_whileHeld_isNotRepaired() {
    PoolDriver pool = changed().toReading();
    pool.send(new PoolEvent.AttemptFailed(PoolFixtures.FORBIDDEN));
    assertThat(pool.state().wakeAt()).isPresent();

    pool.send(HELD);

    assertThat(pool.state().wakeAt()).isEmpty();
    pool.send(ADMITTED);
    assertThat(pool.state().wakeAt()).isPresent();
  }
}
