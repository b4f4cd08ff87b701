package io.poolkeeper.ratelimit;

import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/**
 * When each priority level was last held by the rate, which means a closed gate of the subscription
 * or an empty bucket (spec 2, Observability). One time per priority level suffices: all requests of
 * a priority level whose load balancers are free have the same obstacle.
 *
 * @param last monotonic; priority levels that were never held are missing
 */
record LimitedLevels(Map<PriorityLevel, Instant> last) {
  static final LimitedLevels NONE = new LimitedLevels(Map.of());

  /** These priority levels are held now. */
  LimitedLevels with(Collection<PriorityLevel> held, Instant now) {
    if (held.isEmpty()) {
      return this;
    }
    Map<PriorityLevel, Instant> next = new EnumMap<>(PriorityLevel.class);
    next.putAll(last);
    held.forEach(level -> next.put(level, now));
    return new LimitedLevels(next);
  }

  /**
   * Whether a request of the priority level was held that has been ready since then, and may go
   * now.
   */
  boolean held(PriorityLevel level, Instant ready, Instant now) {
    Instant at = last.getOrDefault(level, Instant.MIN);
    return ready.isBefore(now) && !at.isBefore(ready);
  }
}
