package io.poolkeeper.ratelimit;

import io.poolkeeper.model.Gate;
import java.time.Duration;
import java.time.Instant;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * Until when ARM takes no calls of a subscription, readers and writers apart, and how slowly
 * permits begin again after that: 1, 2, 4, 8 in the first seconds, then without a limit
 * (architecture, The rate limiter). A gate never shortens.
 *
 * @param granted permits granted since both opened last
 * @param pauses how long each gate, also of a load balancer, was closed last by a 429 that did not
 *     say for how long; forgotten when a call succeeds that was sent after the gate had opened
 */
public record Gates(
    Instant readsFrom, Instant writesFrom, int granted, HashPMap<Gate, Duration> pauses) {
  static final Gates OPEN = new Gates(Instant.EPOCH, Instant.EPOCH, 0, HashTreePMap.empty());

  private static final int SLOW_SECONDS = 4;

  /** Closes a gate until then, if that is later than before. */
  Gates close(boolean writes, Instant until) {
    Instant before = writes ? writesFrom : readsFrom;
    if (!until.isAfter(before)) {
      return this;
    }
    Gates closed =
        writes
            ? new Gates(readsFrom, until, granted, pauses)
            : new Gates(until, writesFrom, granted, pauses);
    // A gate that opens no later than the other one changes nothing for permits.
    return closed.permitsFrom().equals(permitsFrom())
        ? closed
        : new Gates(closed.readsFrom, closed.writesFrom, 0, pauses);
  }

  /** When permits may be granted again. */
  Instant permitsFrom() {
    return readsFrom.isAfter(writesFrom) ? readsFrom : writesFrom;
  }

  /** Whether a permit may be granted as far as the gates are concerned. */
  boolean passable(Instant now) {
    return granted < allowed(now);
  }

  Gates passed(Instant now) {
    return allowed(now) == Integer.MAX_VALUE
        ? this
        : new Gates(readsFrom, writesFrom, granted + 1, pauses);
  }

  Gates with(HashPMap<Gate, Duration> next) {
    return new Gates(readsFrom, writesFrom, granted, next);
  }

  /** When the next permit may be granted. */
  Instant nextChange(Instant now) {
    if (now.isBefore(permitsFrom())) {
      return permitsFrom();
    }
    long second = Duration.between(permitsFrom(), now).toSeconds();
    return permitsFrom().plusSeconds(second + 1);
  }

  /** How many permits may have been granted in total since the gates opened. */
  private int allowed(Instant now) {
    if (now.isBefore(permitsFrom())) {
      return 0;
    }
    long second = Duration.between(permitsFrom(), now).toSeconds();
    return second >= SLOW_SECONDS ? Integer.MAX_VALUE : (1 << (second + 1)) - 1;
  }
}
