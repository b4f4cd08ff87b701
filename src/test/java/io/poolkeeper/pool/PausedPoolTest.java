package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.granted;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.unchanged;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Members wait for the end of a pause, admin states only if it says so; no retry is spent. */
class PausedPoolTest {
  private static final String[] TWO = {"n1=10.0.0.1", "n5=10.0.0.5"};
  private static final String[] THREE = {"n1=10.0.0.1", "n3=10.0.0.3", "n5=10.0.0.5"};

  private final PoolDriver pool =
      PoolDriver.settled(PoolFixtures.LIMITS, WEB_1, TWO).after(Duration.ofHours(1));
  private final Instant end = pool.now().plusSeconds(600);

  private List<PoolEffect> pause(boolean drains) {
    return pool.send(new PoolEvent.Paused(Optional.of(new Pause(end, end, "change 1234", drains))));
  }

  private List<PoolEffect> resume() {
    return pool.send(new PoolEvent.Paused(Optional.empty()));
  }

  private List<PoolEffect> leave() {
    return pool.send(new PoolEvent.NodesOutOfService(leaving(1, "n5"), pool.now()));
  }

  private PoolStatus status() {
    return PoolStatus.of(POOL, pool.state());
  }

  @Test
  void change_whilePaused_waits_andSaysUntilWhen() {
    pause(false);

    pool.send(desire(WEB_1, THREE));

    assertThat(pool.state().wakeAt()).isEmpty();
    assertThat(status().state()).isEqualTo("Paused");
    assertThat(status().why()).isEqualTo("paused until " + end + ": change 1234");
    assertThat(status().until()).contains(end);
  }

  @Test
  void resume_withAChangeThatIsDue_writesIt() {
    pause(false);
    pool.send(desire(WEB_1, THREE));
    pool.after(Duration.ofMinutes(10));

    resume();

    assertThat(pool.state().wakeAt().filter(at -> !at.isAfter(pool.now()))).isPresent();
    pool.toWriting(TWO);
    assertThat(pool.retries()).isEmpty();
  }

  @Test
  void pool_thatHasNothingToDo_isIdle_notPaused() {
    pause(true);

    assertThat(status().state()).isEqualTo("Idle");
  }

  @Test
  void reading_whenAPauseBegins_putsTheChangeBack_andSpendsNoRetry() {
    pool.send(desire(WEB_1, THREE));
    pool.toReading();
    pause(false);

    List<PoolEffect> effects = pool.read(TWO);

    assertThat(effects).contains(unchanged(1)).noneMatch(PoolEffect.Write.class::isInstance);
    assertThat(pool.retries()).containsExactly(0);
    assertThat(status().state()).isEqualTo("Paused");
  }

  @Test
  void drain_whilePaused_goesAlone() {
    pause(false);
    pool.send(desire(WEB_1, THREE));

    assertThat(leave()).anyMatch(PoolEffect.RequestTurn.class::isInstance);
    pool.send(granted(1));

    assertThat(pool.read(TWO))
        .filteredOn(PoolEffect.Write.class::isInstance)
        .singleElement()
        .satisfies(
            write ->
                assertThat(((PoolEffect.Write) write).edit())
                    .isEqualTo(PoolFixtures.edit("n5 Down")));
  }

  @Test
  void drain_whilePausedWithDrains_waits_andGoesWhenThatEnds() {
    pause(true);

    assertThat(leave()).noneMatch(PoolEffect.RequestTurn.class::isInstance);
    assertThat(pool.state().wakeAt()).isEmpty();
    assertThat(status().state()).isEqualTo("Paused");
    assertThat(status().why()).isEqualTo("paused until " + end + ", drains too: change 1234");

    assertThat(resume()).anyMatch(PoolEffect.RequestTurn.class::isInstance);
  }

  @Test
  void drain_thatWaitsForItsTurn_whenAPauseWithDrainsBegins_cancelsIt() {
    leave();

    assertThat(pause(true)).contains(new PoolEffect.CancelTurn());
  }

  @Test
  void drain_thatReads_whenAPauseWithDrainsBegins_writesNothing() {
    leave();
    pool.send(granted(1));
    pause(true);

    List<PoolEffect> effects = pool.read(TWO);

    assertThat(effects).contains(unchanged(1)).noneMatch(PoolEffect.Write.class::isInstance);
    assertThat(resume()).noneMatch(PoolEffect.Write.class::isInstance);
    assertThat(pool.state().wakeAt()).isPresent();
  }

  @Test
  void write_whenAPauseBegins_goesOn() {
    pool.send(desire(WEB_1, THREE));
    pool.toWriting(TWO);

    pause(true);

    assertThat(pool.written()).anyMatch(PoolEffect.Updated.class::isInstance);
    assertThat(status().state()).isEqualTo("Idle");
  }

  @Test
  void drift_whilePaused_isRepairedAfterwards() {
    pause(false);

    pool.observed(pool.now(), "n1=10.0.0.1");
    assertThat(pool.state().wakeAt()).isEmpty();
    pool.after(Duration.ofMinutes(10));
    resume();

    assertThat(pool.state().wakeAt().filter(at -> !at.isAfter(pool.now()))).isPresent();
  }
}
