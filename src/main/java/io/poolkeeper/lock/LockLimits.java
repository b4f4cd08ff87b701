package io.poolkeeper.lock;

import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;

/**
 * The bounds of sessions. The cloud provider does not wait for the Lease but fails and backs off,
 * so sessions leave gaps (docs/topics/shared-lock.md).
 *
 * @param maxHold how long turns may be granted in one session, 0.1 s to 1 min
 * @param yield the longest pause after a session that did not last so long; up to {@code maxHold}
 */
public record LockLimits(Duration maxHold, Duration yield) {
  /** How often a Lease that is busy is read, as the watch may be dead. */
  static final Duration RECHECK = Duration.ofSeconds(5);

  /** After a call that failed. */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), Jitter.EQUAL);

  static final Duration LEAST_PAUSE = Duration.ofMillis(50);
  static final int PAUSE_FACTOR = 4;

  public LockLimits {
    if (yield.compareTo(LEAST_PAUSE) < 0
        || maxHold.compareTo(yield) < 0
        || maxHold.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException("max hold %s, yield %s".formatted(maxHold, yield));
    }
  }
}
