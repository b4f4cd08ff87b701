package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.RESYNC;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.VERIFY;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.limits;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.ratelimit.PermitAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a change may be written, to the nanosecond, wherever the monotonic clock began. */
class SpacingTest {
  private static final PoolLimits TICKING =
      limits(INTERVAL, MIN_INTERVAL, false, WINDOW, VERIFY, RESYNC, 3);
  private static final Instant QUIET = T0.plus(INTERVAL);

  private static Spacing ended(Instant end, int doublings) {
    return new Spacing(Optional.of(end), doublings);
  }

  private static Phase.Attempt attempt(Operation... operations) {
    PermitAnswer.Granted permit = new PermitAnswer.Granted(1, Instant.MAX, false);
    return new Phase.Attempt(permit, List.of(operations), Optional.empty(), T0);
  }

  private static Operation came(Instant at) {
    return Operation.fresh(PoolFixtures.WEB_1, at);
  }

  private static Operation retried(Instant at) {
    return Operation.fresh(PoolFixtures.API_2, at).consumed(Optional.empty());
  }

  @Test
  void due_neverWritten_isAfterTheWindowOrTheInterval() {
    assertThat(Spacing.NONE.due(T0, LIMITS)).isEqualTo(T0.plusMillis(100));
    assertThat(Spacing.NONE.due(T0, TICKING)).isEqualTo(T0.plusSeconds(30));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 2000", // the last write ends right now
    "0, 1, 1999",
    "0, 1899, 101",
    "0, 1900, 100", // the spacing ends with the window
    "0, 1950, 100", // and within it
    "0, 2000, 100",
    "0, 29999, 100",
    "0, 30000, 100", // quiet from here
    "2, 1000, 7000",
    "3, 1000, 15000",
    "4, 0, 30000",
    "4, 10000, 20000",
    "4, 29899, 101",
    "4, 29900, 100",
    "4, 30001, 100",
    "4, 3600000, 100"
  })
  void due_lastWriteEndedBefore_isAfterWindowAndSpacing(
      int doublings, long agoMillis, long waitMillis) {
    Spacing spacing = ended(T0.minusMillis(agoMillis), doublings);

    assertThat(spacing.due(T0, LIMITS)).isEqualTo(T0.plusMillis(waitMillis));
  }

  @ParameterizedTest
  @CsvSource({"0, 30000", "10000, 20000", "29950, 100", "30000, 30000", "3600000, 30000"})
  void due_withoutLeadingEdge_isAnIntervalAfterAQuietOne(long agoMillis, long waitMillis) {
    Spacing spacing = ended(T0.minusMillis(agoMillis), 0);

    assertThat(spacing.due(T0, TICKING)).isEqualTo(T0.plusMillis(waitMillis));
  }

  @Test
  void due_anyOriginAndHistory_keepsItsBounds() {
    for (long seed = 0; seed < 5_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Instant now =
          Instant.ofEpochSecond(
              random.nextLong(-10_000_000_000L, 10_000_000_000L), random.nextLong(1_000_000_000));
      Duration interval = Duration.ofMillis(random.nextLong(100, 3_600_001));
      Duration least = Duration.ofMillis(random.nextLong(100, 3_600_001));
      Duration window = Duration.ofNanos(random.nextLong(interval.toNanos() + 1));
      Duration ago = Duration.ofNanos(random.nextLong(3 * interval.toNanos()));
      Spacing spacing = ended(now.minus(ago), random.nextInt(20));
      Instant due = spacing.due(now, limits(interval, least, true, window, VERIFY, RESYNC, 3));
      Instant ticking = spacing.due(now, limits(interval, least, false, window, VERIFY, RESYNC, 3));

      assertThat(due).as("seed %d", seed).isAfterOrEqualTo(now.plus(window));
      assertThat(due).as("seed %d", seed).isBeforeOrEqualTo(ticking);
      assertThat(ticking).as("seed %d", seed).isBeforeOrEqualTo(now.plus(interval));
    }
  }

  @Test
  void early_untilTheIntervalHasPassedSinceTheEnd() {
    Spacing spacing = ended(T0, 0);

    assertThat(spacing.earlyUntil(QUIET.minusNanos(1), LIMITS)).contains(QUIET);
    assertThat(spacing.earlyUntil(QUIET, LIMITS)).isEmpty();
    assertThat(Spacing.NONE.earlyUntil(T0, LIMITS)).isEmpty();
  }

  @Test
  void wrote_quietChange_beginsAnew() {
    Instant now = QUIET.plusSeconds(1);

    assertThat(ended(T0, 4).wrote(attempt(came(QUIET)), now, LIMITS)).isEqualTo(ended(now, 0));
    assertThat(Spacing.NONE.wrote(attempt(came(T0)), now, LIMITS)).isEqualTo(ended(now, 0));
    assertThat(ended(T0, 4).wrote(attempt(retried(T0), came(QUIET)), now, LIMITS))
        .isEqualTo(ended(now, 0));
  }

  @Test
  void wrote_anyFreshChangeThatIsNotQuiet_takesTheNextStep() {
    Operation soon = came(QUIET.minusNanos(1));
    Operation quiet = Operation.fresh(PoolFixtures.API_2, QUIET);

    assertThat(ended(T0, 0).wrote(attempt(soon), QUIET, LIMITS)).isEqualTo(ended(QUIET, 1));
    assertThat(ended(T0, 3).wrote(attempt(soon, quiet), QUIET, LIMITS)).isEqualTo(ended(QUIET, 4));
    assertThat(ended(T0, 4).wrote(attempt(soon), QUIET, LIMITS))
        .as("bounded")
        .isEqualTo(ended(QUIET, 4));
  }

  @Test
  void wrote_retriesAndRepairs_moveTheEndOnly() {
    assertThat(ended(T0, 2).wrote(attempt(retried(T0)), QUIET, LIMITS)).isEqualTo(ended(QUIET, 2));
    assertThat(ended(T0, 2).wrote(attempt(), QUIET, LIMITS)).isEqualTo(ended(QUIET, 2));
    assertThat(Spacing.NONE.wrote(attempt(), T0, LIMITS)).isEqualTo(ended(T0, 0));
  }
}
