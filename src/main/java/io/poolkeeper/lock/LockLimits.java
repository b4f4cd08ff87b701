package io.poolkeeper.lock;

import io.poolkeeper.model.Range;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;

/**
 * The bounds of sessions of the shared Lease (docs/topics/shared-lock.md).
 *
 * @param maxHold how long members are granted permits in one session
 * @param maxTail how long a write keeps the Lease after ARM has accepted it
 * @param yield from the end of a session to the next one for members
 */
public record LockLimits(Duration maxHold, Duration maxTail, Duration yield) {
  /** How long a session may last beyond {@code maxHold}, whatever ARM does. */
  public static final Duration LONGEST_OVERRUN = Duration.ofSeconds(10);

  /** How often a busy Lease is read, as its watch may be dead. */
  static final Duration RECHECK = Duration.ofSeconds(5);

  /** The delays after failed calls. */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), Jitter.EQUAL);

  /** After this time it is reported that the Lease cannot be taken. */
  static final Duration REPORT_AFTER = Duration.ofSeconds(5);

  public static final Range<Duration> MAX_HOLD =
      new Range<>(Duration.ofMillis(100), Duration.ofMinutes(1));

  public static final Range<Duration> MAX_TAIL =
      new Range<>(Duration.ofMillis(100), LONGEST_OVERRUN);

  /** The range of {@code yield}: up to {@code maxHold}. */
  public static Range<Duration> yieldRange(Duration maxHold) {
    return new Range<>(Duration.ofMillis(50), maxHold);
  }

  public LockLimits {
    MAX_HOLD.check("max hold", maxHold);
    MAX_TAIL.check("max tail", maxTail);
    yieldRange(maxHold).check("yield", yield);
  }
}
