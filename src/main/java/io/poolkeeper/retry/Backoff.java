package io.poolkeeper.retry;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** Delays that double from {@code min} to {@code max}, each spread by a jitter. */
public record Backoff(Duration min, Duration max, Jitter jitter) {
  private static final Duration LONGEST = Duration.ofDays(1);

  public Backoff {
    if (!min.isPositive() || max.compareTo(min) < 0 || max.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a backoff must be 0 < min <= max <= 1 day, not " + min + " to " + max);
    }
  }

  /** The delay after a number of failures in a row, for a jitter without memory. */
  public Duration delay(int failures, RandomGenerator random) {
    return delay(failures, min, random);
  }

  /**
   * The delay after a number of failures in a row.
   *
   * @param failures at least 1; the first is followed by a delay made of {@code min}
   * @param previous the delay before; {@code min} if there was none
   */
  public Duration delay(int failures, Duration previous, RandomGenerator random) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures must be at least 1, not " + failures);
    }
    Duration whole = jitter.whole(this, failures, previous);
    return jitter.spread(whole, min, previous, random.nextDouble());
  }

  /** Whether more failures make the delays no longer, for a jitter without memory. */
  public boolean slowest(int failures) {
    return jitter.whole(this, failures, min).equals(max);
  }

  static Duration least(Duration one, Duration other) {
    return Collections.min(List.of(one, other));
  }

  static Duration most(Duration one, Duration other) {
    return Collections.max(List.of(one, other));
  }
}
