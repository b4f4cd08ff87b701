package io.poolkeeper.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/**
 * The gap after a session: four times its length, at least 50 ms and at most {@code yield}. After
 * sessions in a row that lasted for {@code max-hold} it is {@code yield}, doubling up to {@code
 * max-hold}; for drains it stays {@code yield}.
 *
 * @param full whether the session before it lasted so long
 */
record Pause(Duration length, Duration forDrains, Instant from, boolean full) {
  static final Pause NONE = new Pause(Duration.ZERO, Duration.ZERO, Instant.EPOCH, false);

  /** A session of this length is over. */
  Pause after(Duration session, LockLimits limits, Instant now) {
    if (session.compareTo(limits.maxHold()) < 0) {
      Duration wanted = session.multipliedBy(LockLimits.PAUSE_FACTOR);
      Duration gap =
          least(limits.yield(), Collections.max(List.of(LockLimits.LEAST_PAUSE, wanted)));
      return new Pause(gap, gap, now, false);
    }
    Duration gap = full ? least(limits.maxHold(), length.multipliedBy(2)) : limits.yield();
    return new Pause(gap, limits.yield(), now, true);
  }

  /** It begins only now, as the Lease was not given back before. */
  Pause from(Instant now) {
    return new Pause(length, forDrains, now, full);
  }

  Instant until(boolean drain) {
    return from.plus(drain ? forDrains : length);
  }

  private static Duration least(Duration one, Duration other) {
    return Collections.min(List.of(one, other));
  }
}
