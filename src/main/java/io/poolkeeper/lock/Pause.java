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
 * @param full how many sessions in a row lasted so long
 */
record Pause(Duration length, Duration forDrains, Instant from, int full) {
  static final Pause NONE = new Pause(Duration.ZERO, Duration.ZERO, Instant.EPOCH, 0);

  /** A session of this length is over. */
  Pause after(Duration session, LockLimits limits, Instant now) {
    if (session.compareTo(limits.maxHold()) < 0) {
      Duration wanted = session.multipliedBy(LockLimits.PAUSE_FACTOR);
      Duration gap =
          least(limits.yield(), Collections.max(List.of(LockLimits.LEAST_PAUSE, wanted)));
      return new Pause(gap, gap, now, 0);
    }
    Duration gap = full == 0 ? limits.yield() : least(limits.maxHold(), length.multipliedBy(2));
    return new Pause(gap, limits.yield(), now, full + 1);
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
