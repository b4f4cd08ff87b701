package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.RESYNC;
import static io.poolkeeper.pool.PoolFixtures.VERIFY;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** In which lane a pool waits for its turn when its last write was a short time ago. */
class EarlyLaneTest {
  private static final PoolEffect UPDATE = new PoolEffect.RequestTurn(Priority.of(Lane.UPDATE));
  private static final PoolEffect EARLY = new PoolEffect.RequestTurn(Priority.of(Lane.EARLY));
  private static final PoolEffect RETRY = new PoolEffect.RequestTurn(Priority.of(Lane.RETRY));
  private static final PoolEffect REPAIR = new PoolEffect.RequestTurn(Priority.of(Lane.REPAIR));

  /** A pool that was written just now. */
  private static PoolDriver written() {
    return written(PoolFixtures.LIMITS);
  }

  private static PoolDriver written(PoolLimits limits) {
    PoolDriver pool = new PoolDriver(limits);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4").written();
    return pool;
  }

  private static PoolDriver changed(PoolDriver pool) {
    pool.send(desire(WEB_1, "n6=10.0.0.6"));
    return pool;
  }

  @Test
  void change_soonerThanAnIntervalAfterTheLastWrite_isEarly() {
    PoolDriver pool = changed(written());
    Instant end = pool.now().plus(INTERVAL);

    assertThat(pool.fire()).containsExactly(EARLY);

    assertThat(pool.phase())
        .isEqualTo(
            new Phase.Waiting(
                pool.now(), Priority.of(Lane.EARLY), Optional.of(end), Optional.empty()));
    assertThat(pool.state().wakeAt()).contains(end);
    assertThat(PoolStatus.of(POOL, pool.state()).until()).as("no time to go on").isEmpty();
    assertThat(pool.send(PoolFixtures.granted(2)))
        .as("no retry")
        .containsExactly(PoolFixtures.READ);
  }

  @Test
  void change_whenTheIntervalHasPassed_isNotEarly() {
    PoolDriver pool = changed(written().after(INTERVAL.minus(WINDOW)));

    assertThat(pool.fire()).containsExactly(UPDATE);

    assertThat(pool.phase())
        .isEqualTo(
            new Phase.Waiting(
                pool.now(), Priority.of(Lane.UPDATE), Optional.empty(), Optional.empty()));
  }

  @Test
  void change_withoutEarlyWrites_isNeverEarly() {
    PoolDriver pool = written(new PoolLimits(INTERVAL, INTERVAL, true, WINDOW, VERIFY, RESYNC, 3));

    assertThat(changed(pool).fire()).containsExactly(UPDATE);
  }

  @Test
  void timer_anEarlyOneWaitedUntilTheIntervalHadPassed_movesToUpdate() {
    PoolDriver pool = changed(written());
    pool.fire();
    Instant since = pool.now();

    assertThat(pool.fire()).containsExactly(UPDATE);

    assertThat(pool.phase())
        .isEqualTo(
            new Phase.Waiting(since, Priority.of(Lane.UPDATE), Optional.empty(), Optional.empty()));
    assertThat(pool.state().wakeAt()).isEmpty();
    assertThat(pool.send(new PoolEvent.TimerDue())).isEmpty();
  }

  @Test
  void timer_aheadOfTheClock_leavesItEarly() {
    PoolDriver pool = changed(written());
    pool.fire();
    PoolState before = pool.state();

    pool.at(before.wakeAt().orElseThrow().minusNanos(1));

    assertThat(pool.send(new PoolEvent.TimerDue())).isEmpty();
    assertThat(pool.state()).isEqualTo(before);
  }

  @Test
  void change_besideARetry_waitsAsTheRetryAndThenAsAnUpdate() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.failed(CONFLICT);
    Instant failed = pool.now();
    pool.send(desire(API_2, "n7=10.0.0.7"));

    assertThat(pool.fire()).containsExactly(RETRY);
    assertThat(pool.state().wakeAt()).contains(failed.plus(INTERVAL));
    assertThat(pool.fire()).containsExactly(UPDATE);
  }

  @Test
  void change_besideAWaitingRetry_keepsTheLaneAndSetsTheTimer() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.failed(CONFLICT);
    Instant failed = pool.now();
    assertThat(pool.fire()).containsExactly(RETRY);
    assertThat(pool.state().wakeAt()).as("a retry alone stays one").isEmpty();

    assertThat(pool.send(desire(API_2, "n7=10.0.0.7"))).isEmpty();
    assertThat(pool.state().wakeAt()).contains(failed.plus(INTERVAL));

    assertThat(pool.send(new PoolEvent.Release(API))).isEmpty();
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  @Test
  void retry_leavesTheGroupOfAnEarlyChange_whichIsEarlyThen() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.failed(CONFLICT);
    pool.send(desire(API_2, "n7=10.0.0.7"));
    pool.fire();

    assertThat(pool.send(new PoolEvent.Release(WEB))).containsExactly(EARLY);
  }

  @Test
  void repair_soonAfterAWrite_goesAtTheSpacingAndIsNeverEarly() {
    PoolDriver pool = written();
    Instant ended = pool.now();
    pool.after(Duration.ofMillis(10)).observed(pool.now(), "n5=10.0.0.5", "stale=10.0.0.9");
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(ended.plus(MIN_INTERVAL)));

    assertThat(pool.fire()).containsExactly(REPAIR);
    assertThat(pool.state().wakeAt()).isEmpty();

    assertThat(changed(pool).effects()).as("a change joins it").containsExactly(EARLY);
  }

  @Test
  void repair_movesTheEndOfTheSpacingNotItsLength() {
    PoolDriver pool = written();
    pool.after(Duration.ofSeconds(1)).observed(pool.now(), "n5=10.0.0.5", "stale=10.0.0.9");
    pool.toWriting("n5=10.0.0.5", "stale=10.0.0.9").after(Duration.ofSeconds(1)).written();

    changed(pool);

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(MIN_INTERVAL)));
  }

  @Test
  void retry_movesTheEndOfTheSpacingNotItsLength() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.read("n4=10.0.0.4");
    pool.failed(CONFLICT);
    pool.toWriting("n4=10.0.0.4").after(Duration.ofSeconds(1)).written();

    changed(pool);

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(MIN_INTERVAL)));
  }

  @Test
  void reads_thatFailOnAndOn_areSpacedAsWritesAre() {
    PoolDriver pool = PoolCoreFailureTest.failed();
    for (long seconds : new long[] {2, 4, 8, 16, 30}) {
      Instant ended = pool.state().history().settledAt().orElseThrow();
      pool.at(ended).send(desire(WEB_1, "n6=10.0.1." + seconds));

      assertThat(pool.phase()).isEqualTo(new Phase.Gathering(ended.plusSeconds(seconds)));
      pool.toReading().failed(PoolFixtures.FORBIDDEN);
    }
  }
}
