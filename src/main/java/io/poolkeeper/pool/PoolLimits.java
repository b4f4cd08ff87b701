package io.poolkeeper.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The pace of one pool.
 *
 * @param interval at most one write per interval; 0.1 s to 1 h
 * @param leadingEdge whether the first change after a quiet interval is written after the window
 *     instead of an interval later
 * @param window how long a change waits for company; at most the interval
 */
public record PoolLimits(Duration interval, boolean leadingEdge, Duration window) {
  /** How soon a pool is read again that somebody else was writing. */
  static final Duration UPDATING_RECHECK = Duration.ofSeconds(1);

  public PoolLimits {
    if (interval.compareTo(Duration.ofMillis(100)) < 0
        || interval.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("interval must be 0.1s to 1h, not " + interval);
    }
    if (window.isNegative() || window.compareTo(interval) > 0) {
      throw new IllegalArgumentException("window must be 0 to the interval, not " + window);
    }
  }

  /** When a change that is seen now may be written. */
  Instant due(Instant now, Optional<Instant> lastWrite) {
    Instant earliest = now.plus(window);
    Optional<Instant> paced =
        lastWrite.map(last -> last.plus(interval)).filter(next -> next.isAfter(now));
    if (paced.isEmpty()) {
      return leadingEdge ? earliest : now.plus(interval);
    }
    return paced.get().isAfter(earliest) ? paced.get() : earliest;
  }
}
