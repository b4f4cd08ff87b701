package io.poolkeeper.ratelimit;

import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/**
 * When each lane was last held by the rate, which means a closed gate of the subscription or an
 * empty bucket (spec 2, Observability). One time per lane suffices: all requests of a lane whose
 * load balancers are free have the same obstacle.
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
