package io.poolkeeper.ratelimit;

import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/**
 * When the rate held each lane last: a gate of the subscription, or an empty bucket (spec 2,
 * Observability). A lane's obstacle is one for all its requests whose load balancer is free, so
 * that a time per lane says of each of them whether it was held.
 *
 * @param last monotonic; lanes that were never held are missing
 */
record LimitedLanes(Map<Lane, Instant> last) {
  static final LimitedLanes NONE = new LimitedLanes(Map.of());

  /** These lanes are held now. */
  LimitedLanes with(Collection<Lane> held, Instant now) {
    if (held.isEmpty()) {
      return this;
    }
    Map<Lane, Instant> next = new EnumMap<>(Lane.class);
    next.putAll(last);
    held.forEach(lane -> next.put(lane, now));
    return new LimitedLanes(next);
  }

  /** Whether a request of the lane was held that has been ready since then, and may go now. */
  boolean held(Lane lane, Instant ready, Instant now) {
    Instant at = last.getOrDefault(lane, Instant.MIN);
    return ready.isBefore(now) && !at.isBefore(ready);
  }
}
