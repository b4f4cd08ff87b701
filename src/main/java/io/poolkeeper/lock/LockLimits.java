package io.poolkeeper.lock;

import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;

/**
 * The bounds of sessions (docs/topics/shared-lock.md).
 *
 * @param maxHold how long members are granted turns in one session, 0.1 s to 1 min
 * @param maxTail how long after ARM has accepted it a write keeps the Lease, up to {@link #TAIL}
 * @param yield from the end of a session to the next one for members, 50 ms up to {@code maxHold}
 */
public record LockLimits(Duration maxHold, Duration maxTail, Duration yield) {
  /** After {@code maxHold} a session is given up within this, whatever ARM does. */
  public static final Duration TAIL = Duration.ofSeconds(10);

  /** How often a Lease that is busy is read, as the watch may be dead. */
  static final Duration RECHECK = Duration.ofSeconds(5);

  /** After a call that failed. */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), Jitter.EQUAL);

  /** After this long it is reported that the Lease cannot be had. */
  static final Duration REPORTED = Duration.ofSeconds(5);

  private static final Duration LEAST_YIELD = Duration.ofMillis(50);

  public LockLimits {
    if (yield.compareTo(LEAST_YIELD) < 0
        || maxHold.compareTo(yield) < 0
        || maxHold.compareTo(Duration.ofMinutes(1)) > 0
        || maxTail.isNegative()
        || maxTail.compareTo(TAIL) > 0) {
      throw new IllegalArgumentException(
          "max hold %s, max tail %s, yield %s".formatted(maxHold, maxTail, yield));
    }
  }
}
