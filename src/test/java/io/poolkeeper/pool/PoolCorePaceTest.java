package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.RESYNC;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.VERIFY;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.countUpdated;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Architecture, Invariants: when a pool is written, how often, and with which level. */
class PoolCorePaceTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** A pool whose write, of a second, ended at the instant this returns: n4 became n5. */
  private static Instant writeOnce(PoolDriver pool) {
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4");
    pool.after(SECOND).written();
    return pool.now();
  }

  @Test
  void desire_afterAQuietInterval_isDueAfterTheWindow() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");

    assertThat(pool.send(desire(WEB_1, "n5=10.0.0.5"))).isEmpty();

    assertThat(pool.state().wakeAt()).contains(T0.plus(WINDOW));
  }

  @Test
  void attempt_oneChange_takesATurnReadsWritesAndTellsOnce() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.fire()).containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.UPDATE)));
    assertThat(pool.send(PoolFixtures.granted(7))).containsExactly(PoolFixtures.READ);
    assertThat(pool.read("n4=10.0.0.4")).containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5"));
    assertThat(pool.after(SECOND).written())
        .containsExactly(
            PoolFixtures.well(7), emitUpdated(WEB_1), countUpdated(SECOND), PoolFixtures.LOOK);
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  @Test
  void desire_withinTheInterval_isDueTheShortestSpacingAfterThePutEnded() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    Instant ended = writeOnce(pool);

    pool.after(SECOND).send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.state().wakeAt()).contains(ended.plus(MIN_INTERVAL));
  }

  @Test
  void desires_onAndOn_areWrittenAtASpacingThatDoublesUpToTheInterval() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    writeOnce(pool);
    List<Long> waited = new ArrayList<>();

    for (int i = 0; i < 7; i++) {
      Instant ended = pool.now();
      pool.send(desire(WEB_1, "n6=10.0.1." + i));
      pool.toWriting("n5=10.0.0.5");
      waited.add(Duration.between(ended, pool.now()).toSeconds());
      pool.after(SECOND).written();
    }

    assertThat(waited).containsExactly(2L, 4L, 8L, 16L, 30L, 30L, 30L);
  }

  @Test
  void desire_quietAgain_beginsTheSeriesAnew() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    writeOnce(pool);
    pool.send(desire(WEB_1, "n6=10.0.0.6"));
    pool.toWriting("n5=10.0.0.5").written();
    pool.after(INTERVAL).send(desire(WEB_1, "n7=10.0.0.7"));
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(WINDOW)));
    pool.toWriting("n6=10.0.0.6").written();

    pool.send(desire(WEB_1, "n8=10.0.0.8"));

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(MIN_INTERVAL)));
  }

  @Test
  void desire_withoutLeadingEdgeWithinTheInterval_isDueAtItsEnd() {
    PoolDriver pool =
        new PoolDriver(new PoolLimits(INTERVAL, MIN_INTERVAL, false, WINDOW, VERIFY, RESYNC, 3));
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4").written();
    Instant ended = pool.now();

    pool.after(SECOND).send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(ended.plus(INTERVAL)));
  }

  @Test
  void desire_atTheIntervalsEnd_isDueAfterTheWindow() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    writeOnce(pool);

    pool.after(INTERVAL).send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.state().wakeAt()).contains(pool.now().plus(WINDOW));
  }

  @Test
  void desire_withoutLeadingEdge_isDueAnIntervalLater() {
    PoolDriver pool =
        new PoolDriver(new PoolLimits(INTERVAL, MIN_INTERVAL, false, WINDOW, VERIFY, RESYNC, 3));

    pool.send(desire(WEB_1, "n4=10.0.0.4"));

    assertThat(pool.state().wakeAt()).contains(T0.plus(INTERVAL));
  }

  @Test
  void desires_manyWhileGathering_areOneAttemptAndNotPutOff() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    for (int i = 6; i < 100; i++) {
      pool.after(Duration.ofMillis(1)).send(desire(WEB_1, "n4=10.0.0.4", "n=10.0.0." + i));
      pool.send(desire(API_2, "n4=10.0.0.4", "m=10.0.1." + i));
    }

    assertThat(pool.state().wakeAt()).contains(T0.plus(WINDOW));
    assertThat(pool.state().queue().operations()).hasSize(2);
    pool.toWriting("n4=10.0.0.4");

    assertThat(pool.effects()).containsExactly(pool.write("+n=10.0.0.99", "+m=10.0.1.99"));
    assertThat(pool.written())
        .containsExactly(
            PoolFixtures.well(1),
            emitUpdated(WEB_1),
            emitUpdated(API_2),
            countUpdated(Duration.ZERO),
            PoolFixtures.LOOK);
  }

  @Test
  void desire_whileWaiting_isTakenByTheSameAttempt() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.fire();

    assertThat(pool.send(desire(WEB_1, "n6=10.0.0.6"))).isEmpty();
    pool.send(PoolFixtures.granted(1));
    pool.read("n4=10.0.0.4");

    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "+n6=10.0.0.6"));
    pool.written();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void desire_whileReading_isUsedByThePlanWhenTheGetReturns() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();

    assertThat(pool.send(desire(WEB_1, "n6=10.0.0.6"))).isEmpty();

    assertThat(pool.read("n4=10.0.0.4")).containsExactly(pool.write("-10.0.0.4", "+n6=10.0.0.6"));
  }

  @Test
  void desire_whileWriting_goesNextAfterTheSpacing() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4");

    assertThat(pool.after(SECOND).send(desire(WEB_1, "n6=10.0.0.6"))).isEmpty();
    pool.after(SECOND).written();

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(MIN_INTERVAL)));
    pool.toWriting("n5=10.0.0.5");
    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.5", "+n6=10.0.0.6"));
  }

  @Test
  void desire_firstOneEqualToTheListing_enqueuesNothing() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");

    assertThat(pool.effects()).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(pool.state().queue().isEmpty()).isTrue();
  }

  @Test
  void desire_firstOneWithoutAListing_isEnqueued() {
    PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS);

    pool.send(desire(WEB_1, "n4=10.0.0.4"));

    assertThat(pool.state().wakeAt()).contains(T0.plus(WINDOW));
  }

  @Test
  void desire_sameAgain_changesNothing() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    PoolState before = pool.state();

    assertThat(pool.after(Duration.ofMillis(50)).send(desire(WEB_1, "n5=10.0.0.5"))).isEmpty();

    assertThat(pool.state()).isEqualTo(before);
  }

  @Test
  void desire_unknown_enqueuesNothingAndRemovesNothingLater() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");

    assertThat(pool.send(new PoolEvent.Desire(WEB_1, unknown()))).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    pool.send(desire(API_2, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4");

    assertThat(pool.effects()).containsExactly(pool.write("+n5=10.0.0.5"));
  }

  @Test
  void read_poolAlreadyAsWished_endsWithoutPutEventOrMetric() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();

    assertThat(pool.read("n5=10.0.0.5"))
        .containsExactly(PoolFixtures.unchanged(1), PoolFixtures.LOOK);
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void read_nothingWritten_leavesTheNextChangeAtTheLeadingEdge() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();
    pool.read("n5=10.0.0.5");

    pool.after(SECOND).send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.state().wakeAt()).contains(pool.now().plus(WINDOW));
  }

  @Test
  void read_entryWithoutAddress_leavesThePoolAloneQuietly() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toReading();

    assertThat(pool.read("n4=10.0.0.4", "nic-entry"))
        .containsExactly(
            new PoolEffect.LeaveAlone("an entry has no ipAddress"), PoolFixtures.unchanged(1));
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void timer_beforeItIsDueOrWhileNothingIsGathered_isIgnored() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");

    assertThat(pool.send(new PoolEvent.TimerDue())).isEmpty();
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    assertThat(pool.after(WINDOW.minusNanos(1)).send(new PoolEvent.TimerDue())).isEmpty();
    assertThat(pool.state().wakeAt()).contains(T0.plus(WINDOW));
  }

  @Test
  void read_nodeScaledToZero_emptiesThePool() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1));
    pool.toWriting("n4=10.0.0.4", "stale=10.0.0.9");

    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "-10.0.0.9"));
  }

  @Test
  void desire_firstOneWantsWhatThePutInFlightRemoves_goesNext() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5");
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5");

    pool.send(desire(API_2, "n4=10.0.0.4", "n5=10.0.0.5"));
    pool.written();
    pool.toWriting("n4=10.0.0.4");

    assertThat(pool.effects()).containsExactly(pool.write("+n5=10.0.0.5"));
  }

  @Test
  void desire_firstOneWantsWhatThePutInFlightLeaves_enqueuesNothing() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4", "n5=10.0.0.5");
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.toWriting("n4=10.0.0.4", "n5=10.0.0.5");

    pool.send(desire(API_2, "n4=10.0.0.4"));
    pool.written();

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }
}
