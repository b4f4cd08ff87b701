package io.poolkeeper.ratelimit;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * The last turn of each namespace in one lane: the namespace that was served longest ago is next. A
 * namespace that does not wait any more is remembered, or it would be first whenever it comes back.
 * Of too many, the one served longest ago is forgotten, and so it stays first.
 *
 * @param turns the number of each namespace's last turn; numbers grow with time
 */
record RoundRobin(Map<String, Long> turns) {
  static final RoundRobin NONE = new RoundRobin(Map.of());

  RoundRobin {
    turns = Collections.unmodifiableMap(turns);
  }

  /** The smaller, the longer ago the namespace was served; 0 if never, as far as is known. */
  long last(String namespace) {
    return turns.getOrDefault(namespace, 0L);
  }

  RoundRobin served(String namespace, long turn) {
    Map<String, Long> next = new HashMap<>(turns);
    next.put(namespace, turn);
    if (next.size() > RateLimiterLimits.MOST_NAMESPACES) {
      next.values().remove(Collections.min(next.values()));
    }
    return new RoundRobin(next);
  }
}
