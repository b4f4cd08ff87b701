package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.RESYNC;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.VERIFY;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lengths of spacings, and what is no length at all. */
class PoolLimitsTest {
  private static PoolLimits limits(Duration interval, Duration minInterval, Duration window) {
    return PoolFixtures.limits(interval, minInterval, true, window, VERIFY, RESYNC, 3);
  }

  @ParameterizedTest
  @CsvSource({"0, 2", "1, 4", "2, 8", "3, 16", "4, 30", "5, 30", "1000, 30"})
  void spacing_doublesUpToTheInterval(int doublings, long seconds) {
    assertThat(PoolFixtures.LIMITS.spacing(doublings)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void spacing_extremes_doNotOverflow() {
    Duration hour = Duration.ofHours(1);
    PoolLimits widest = limits(hour, Duration.ofMillis(100), Duration.ZERO);

    assertThat(widest.spacing(15)).isEqualTo(Duration.ofMillis(3_276_800));
    assertThat(widest.spacing(16)).isEqualTo(hour);
    assertThat(widest.spacing(Integer.MAX_VALUE)).isEqualTo(hour);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 1800",
    "0, 0.5, 2000",
    "0, 0.999, 2199",
    "1, 0, 7200",
    "1, 0.5, 8000",
    "2, 0, 27000",
    "2, 0.5, 30000",
    "100, 0.5, 30000"
  })
  void retry_isFourTimesAsLateEachTime(int retries, double drawn, long millis) {
    Instant due = PoolFixtures.LIMITS.retry(T0, retries, new PoolFixtures.Drawing(drawn));

    assertThat(Duration.between(T0, due).toMillis()).isEqualTo(millis);
  }

  @Test
  void minInterval_aboveTheIntervalOrWithoutLeadingEdge_isTheInterval() {
    assertThat(limits(INTERVAL, INTERVAL.plusNanos(1), WINDOW).minInterval()).isEqualTo(INTERVAL);
    assertThat(limits(INTERVAL, INTERVAL.minusNanos(1), WINDOW).minInterval())
        .isEqualTo(INTERVAL.minusNanos(1));
    assertThat(
            PoolFixtures.limits(INTERVAL, MIN_INTERVAL, false, WINDOW, VERIFY, RESYNC, 3)
                .minInterval())
        .isEqualTo(INTERVAL);
  }

  @Test
  void constructor_outOfRange_isRefused() {
    Duration tooShort = Duration.ofMillis(100).minusNanos(1);
    Duration tooLong = Duration.ofHours(1).plusNanos(1);

    assertThatThrownBy(() -> limits(tooShort, MIN_INTERVAL, Duration.ZERO))
        .hasMessageStartingWith("interval must be PT0.1S to PT1H");
    assertThatThrownBy(() -> limits(tooLong, MIN_INTERVAL, Duration.ZERO))
        .hasMessageStartingWith("interval must be PT0.1S to PT1H");
    assertThatThrownBy(() -> limits(INTERVAL, MIN_INTERVAL, INTERVAL.plusNanos(1)))
        .hasMessageContaining("window");
    assertThatThrownBy(() -> limits(INTERVAL, tooShort, WINDOW))
        .hasMessageContaining("min-interval must be PT0.1S to PT1H");
    assertThatThrownBy(() -> limits(INTERVAL, MIN_INTERVAL, Duration.ofNanos(-1)))
        .hasMessageContaining("window");
  }

  @Test
  void constructor_boundsThemselves_areAllowed() {
    Duration shortest = Duration.ofMillis(100);

    assertThatCode(() -> limits(shortest, shortest, shortest)).doesNotThrowAnyException();
    assertThatCode(() -> limits(Duration.ofHours(1), MIN_INTERVAL, Duration.ZERO))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "MISSING, 0.1, 20, 300000",
    "MISSING, 0.1, 7, 100",
    "MISSING, 30, 6, 0",
    "MISSING, 3600, 7, 300000",
    "SURPLUS, 0.1, 16, 600000",
    "SURPLUS, 30, 2, 0",
    "SURPLUS, 3600, 3, 600000"
  })
  void postponement_anyInterval_keepsItsBounds(
      Drift.Direction direction, double interval, int times, long millis) {
    Duration spacing = Duration.ofMillis((long) (interval * 1000));
    PoolLimits limits =
        PoolFixtures.limits(spacing, spacing, true, Duration.ZERO, VERIFY, RESYNC, 3);

    assertThat(limits.postponement(direction, times)).isEqualTo(Duration.ofMillis(millis));
  }
}
