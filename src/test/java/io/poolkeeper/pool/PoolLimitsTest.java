package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a change may be written, to the nanosecond, wherever the monotonic clock began. */
class PoolLimitsTest {
  private static final PoolLimits LEADING = new PoolLimits(INTERVAL, true, WINDOW, 3);
  private static final PoolLimits TICKING = new PoolLimits(INTERVAL, false, WINDOW, 3);

  @Test
  void due_neverWritten_isAfterTheWindow() {
    assertThat(LEADING.due(T0, Optional.empty())).isEqualTo(T0.plusMillis(100));
  }

  @Test
  void due_neverWrittenWithoutLeadingEdge_isAfterTheInterval() {
    assertThat(TICKING.due(T0, Optional.empty())).isEqualTo(T0.plusSeconds(30));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 30000", // the last write is right now
    "1, 29999",
    "10000, 20000",
    "29899, 101",
    "29900, 100", // the interval ends with the window
    "29950, 100", // and within it
    "29999, 100",
    "30000, 100", // quiet from here
    "30001, 100",
    "3600000, 100"
  })
  void due_lastWriteLongAgo_isAfterWindowAndInterval(long agoMillis, long waitMillis) {
    Instant lastWrite = T0.minusMillis(agoMillis);

    assertThat(LEADING.due(T0, Optional.of(lastWrite))).isEqualTo(T0.plusMillis(waitMillis));
  }

  @ParameterizedTest
  @CsvSource({"0, 30000", "10000, 20000", "29950, 100", "30000, 30000", "3600000, 30000"})
  void due_withoutLeadingEdge_isAnIntervalAfterAQuietOne(long agoMillis, long waitMillis) {
    Instant lastWrite = T0.minusMillis(agoMillis);

    assertThat(TICKING.due(T0, Optional.of(lastWrite))).isEqualTo(T0.plusMillis(waitMillis));
  }

  @Test
  void due_noWindow_isAtOnce() {
    PoolLimits limits = new PoolLimits(INTERVAL, true, Duration.ZERO, 3);

    assertThat(limits.due(T0, Optional.empty())).isEqualTo(T0);
    assertThat(limits.due(T0, Optional.of(T0.minus(INTERVAL)))).isEqualTo(T0);
    assertThat(limits.due(T0, Optional.of(T0.minus(INTERVAL).plusNanos(1))))
        .isEqualTo(T0.plusNanos(1));
  }

  @Test
  void due_anyOriginAndHistory_keepsItsBounds() {
    for (long seed = 0; seed < 5_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Instant now =
          Instant.ofEpochSecond(
              random.nextLong(-10_000_000_000L, 10_000_000_000L), random.nextLong(1_000_000_000));
      Duration interval = Duration.ofMillis(random.nextLong(100, 3_600_001));
      Duration window = Duration.ofNanos(random.nextLong(interval.toNanos() + 1));
      Duration ago = Duration.ofNanos(random.nextLong(3 * interval.toNanos()));
      Instant last = now.minus(ago);
      Instant due = new PoolLimits(interval, true, window, 3).due(now, Optional.of(last));
      Instant ticking = new PoolLimits(interval, false, window, 3).due(now, Optional.of(last));

      Instant exact = now.plus(window);
      Instant paced = last.plus(interval);
      assertThat(due).as("seed %d", seed).isEqualTo(paced.isAfter(exact) ? paced : exact);
      assertThat(ticking).as("seed %d", seed).isBetween(due, now.plus(interval));
    }
  }

  @Test
  void constructor_outOfRange_isRefused() {
    Duration tooShort = Duration.ofMillis(100).minusNanos(1);
    Duration tooLong = Duration.ofHours(1).plusNanos(1);

    assertThatThrownBy(() -> new PoolLimits(tooShort, true, Duration.ZERO, 3))
        .hasMessageContaining("0.1s to 1h");
    assertThatThrownBy(() -> new PoolLimits(tooLong, true, Duration.ZERO, 3))
        .hasMessageContaining("0.1s to 1h");
    assertThatThrownBy(() -> new PoolLimits(INTERVAL, true, INTERVAL.plusNanos(1), 3))
        .hasMessageContaining("window");
    assertThatThrownBy(() -> new PoolLimits(INTERVAL, true, Duration.ofNanos(-1), 3))
        .hasMessageContaining("window");
  }

  @Test
  void constructor_boundsThemselves_areAllowed() {
    assertThatCode(() -> new PoolLimits(Duration.ofMillis(100), true, Duration.ofMillis(100), 3))
        .doesNotThrowAnyException();
    assertThatCode(() -> new PoolLimits(Duration.ofHours(1), true, Duration.ZERO, 3))
        .doesNotThrowAnyException();
  }
}
