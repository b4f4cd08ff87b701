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

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Members of a pool are not written while that is held (architecture, section 4, rule 5). */
class PoolHoldTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final PoolEvent HELD = new PoolEvent.Bind(1, PoolFixtures.HELD);
  private static final PoolEvent ALL_HELD = new PoolEvent.Bind(1, PoolFixtures.DRAINS_HELD);
  private static final PoolEvent ADMITTED = new PoolEvent.Bind(1, Terms.NONE);
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
  void drain_whileDrainsAreHeld_waitsWithoutATimer_andGoesAtOnceWhenAdmitted() {
    PoolDriver pool = settled();
    pool.send(ALL_HELD);

    assertThat(pool.send(n4Leaves(pool))).noneMatch(PoolEffect.RequestTurn.class::isInstance);

    assertThat(pool.state().wakeAt()).isEmpty();
    assertThat(PoolStatus.of(POOL, pool.state()))
        .extracting(PoolStatus::state, PoolStatus::why, PoolStatus::until)
        .containsExactly("Held", "a check is pending", Optional.empty());
    assertThat(pool.after(HOUR).send(ADMITTED)).containsExactly(DRAIN);
    pool.send(granted(1));
    assertThat(pool.read("n4=10.0.0.4")).contains(pool.write("n4 Down"));
  }

  @Test
  void drain_thatIsHeld_isReportedAsPending_andIsNoLeftoverThatNobodyExplains() {
    PoolDriver pool = settled();
    pool.send(ALL_HELD);
    pool.send(n4Leaves(pool));

    List<PoolEffect> effects = pool.after(HOUR).observed(pool.now(), "n4=10.0.0.4");

    assertThat(effects)
        .containsExactly(
            new PoolEffect.Report(
                new AdminReport(1, Set.of(new NodeKey("n4")), Set.of(), Optional.empty())));
    assertThat(pool.state().leftovers().since().keySet())
        .extracting(Leftover::kind)
        .containsExactly(Leftover.Kind.NOT_DOWN);
  }

  @Test
  void return_whileDrainsAreHeld_waitsToo() {
    PoolDriver pool = settled();
    pool.send(n4Leaves(pool));
    pool.send(granted(1));
    pool.read("n4=10.0.0.4");
    pool.written();
    pool.send(ALL_HELD);

    assertThat(pool.send(new PoolEvent.NodesOutOfService(leaving(2), pool.now())))
        .noneMatch(PoolEffect.RequestTurn.class::isInstance);

    assertThat(pool.send(ADMITTED)).hasOnlyElementsOfType(PoolEffect.RequestTurn.class).hasSize(1);
  }

  @Test
  void holdOfDrains_whileOneWaits_leavesTheLine() {
    PoolDriver pool = changed();
    pool.fire();
    pool.send(n4Leaves(pool));

    assertThat(pool.send(ALL_HELD)).containsExactly(new PoolEffect.CancelTurn());

    assertThat(pool.retries()).containsExactly(0);
    assertThat(pool.send(ADMITTED)).containsExactly(DRAIN);
  }

  @Test
  void holdOfDrains_duringTheReadOfOne_putsItBack() {
    PoolDriver pool = settled();
    pool.send(n4Leaves(pool));
    pool.send(granted(1));
    pool.send(ALL_HELD);

    assertThat(pool.read("n4=10.0.0.4"))
        .contains(unchanged(1))
        .noneMatch(PoolEffect.Write.class::isInstance)
        .noneMatch(PoolEffect.RequestTurn.class::isInstance)
        .doesNotContain(new PoolEffect.Report(PoolReport.Sign.READ_BACK_WANTED));

    assertThat(pool.state().wakeAt()).isEmpty();
    assertThat(pool.after(SECOND).send(ADMITTED)).containsExactly(DRAIN);
  }

  @Test
  void holdOfDrains_afterAFailedOne_keepsItsBackoff() {
    PoolDriver pool = settled();
    pool.send(n4Leaves(pool));
    pool.send(granted(1));
    pool.read("n4=10.0.0.4");
    pool.failed(PoolFixtures.CONFLICT);
    Instant due = pool.state().wakeAt().orElseThrow();

    pool.send(ALL_HELD);
    assertThat(pool.state().wakeAt()).isEmpty();

    assertThat(pool.send(ADMITTED)).isEmpty();
    assertThat(pool.state().wakeAt()).contains(due);
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
