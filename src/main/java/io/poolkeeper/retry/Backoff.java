package io.poolkeeper.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays that double from {@code min} to {@code max}, each with equal jitter: half of it certain,
 * half of it drawn, still so at the cap, so that many who failed together do not return together.
 */
public record Backoff(Duration min, Duration max) {
  private static final Duration LONGEST = Duration.ofDays(1);

  public Backoff {
    if (!min.isPositive() || max.compareTo(min) < 0 || max.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a backoff must be 0 < min <= max <= 1 day, not " + min + " to " + max);
    }
  }

  /**
   * The delay after a number of failures in a row.
   *
   * @param failures at least 1; the first is followed by half of {@code min} to {@code min}
   */
  public Duration delay(int failures, RandomGenerator random) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures must be at least 1, not " + failures);
    }
    Duration whole = min;
    for (int i = 1; i < failures && whole.compareTo(max) < 0; i++) {
      whole = whole.multipliedBy(2);
    }
    long half = (whole.compareTo(max) > 0 ? max : whole).toNanos() / 2;
    return Duration.ofNanos(half + (long) (half * random.nextDouble()));
  }
}
