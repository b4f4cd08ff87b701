package io.poolkeeper.turnstile;

import java.time.Duration;
import java.time.Instant;

/**
 * Until when ARM takes no calls of a subscription, readers and writers apart, and how slowly turns
 * begin again after that: 1, 2, 4, 8 in the first seconds, then without a limit (architecture, The
 * turnstile). A gate never shortens.
 *
 * @param granted turns granted since both opened last
 */
public record Gates(Instant readsFrom, Instant writesFrom, int granted) {
  static final Gates OPEN = new Gates(Instant.EPOCH, Instant.EPOCH, 0);

  private static final int SLOW_SECONDS = 4;

  /** Closed for longer, if the time is later than the gate's. */
  Gates close(boolean writes, Instant until) {
    Instant before = writes ? writesFrom : readsFrom;
    if (!until.isAfter(before)) {
      return this;
    }
    Gates closed =
        writes ? new Gates(readsFrom, until, granted) : new Gates(until, writesFrom, granted);
    // What stays open longer than the other gate is closed changes nothing for turns.
    return closed.turnsFrom().equals(turnsFrom())
        ? closed
        : new Gates(closed.readsFrom, closed.writesFrom, 0);
  }

  /** When turns may be granted again. */
  Instant turnsFrom() {
    return readsFrom.isAfter(writesFrom) ? readsFrom : writesFrom;
  }

  /** Whether a turn may be granted. */
  boolean passable(Instant now) {
    return granted < allowed(now);
  }

  Gates passed(Instant now) {
    return allowed(now) == Integer.MAX_VALUE ? this : new Gates(readsFrom, writesFrom, granted + 1);
  }

  /** When a turn may be granted that may not be granted now. */
  Instant nextChange(Instant now) {
    if (now.isBefore(turnsFrom())) {
      return turnsFrom();
    }
    long second = Duration.between(turnsFrom(), now).toSeconds();
    return turnsFrom().plusSeconds(second + 1);
  }

  /** How many turns may have been granted by now since the gates opened. */
  private int allowed(Instant now) {
    if (now.isBefore(turnsFrom())) {
      return 0;
    }
    long second = Duration.between(turnsFrom(), now).toSeconds();
    return second >= SLOW_SECONDS ? Integer.MAX_VALUE : (1 << (second + 1)) - 1;
  }
}
