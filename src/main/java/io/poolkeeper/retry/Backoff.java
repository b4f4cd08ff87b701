package io.poolkeeper.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Delays that grow from {@code min} to {@code max}, each spread by a jitter. */
public record Backoff(Duration min, Duration max, Jitter jitter) {
  private static final Duration LONGEST = Duration.ofDays(1);

  public Backoff {
    if (!min.isPositive() || max.compareTo(min) < 0 || max.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a backoff must be 0 < min <= max <= 1 day, not " + min + " to " + max);
    }
  }

  /** The delay after a number of failures in a row, if no previous delay is known. */
  public Duration delay(int failures, RandomGenerator random) {
    return delay(failures, Duration.ZERO, random);
  }

  /**
   * The delay after a number of failures in a row.
   *
   * @param failures at least 1; the first is followed by a delay made of {@code min}
   * @param previous the delay before; zero if there was none
   */
  public Duration delay(int failures, Duration previous, RandomGenerator random) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures must be at least 1, not " + failures);
    }
    return jitter.spread(this, failures, previous, random.nextDouble());
  }

  /** Whether the delay has reached its maximum after so many failures. */
  public boolean slowest(int failures) {
    return doubled(failures).equals(max);
  }

  public Backoff with(Jitter other) {
    return new Backoff(min, max, other);
  }

  /** The delay before it is spread. */
  Duration doubled(int failures) {
    Duration delay = min;
    for (int i = 1; i < failures && delay.compareTo(max) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    return cut(delay);
  }

  Duration cut(Duration delay) {
    return delay.compareTo(max) < 0 ? delay : max;
  }
}
