package io.poolkeeper.ratelimit;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * The last turns of namespaces in one lane, so that the one that was served longest ago is next.
 * One that waits no more is remembered: else one that comes back at once would always be first. The
 * oldest of too many is forgotten, and thus stays before the others.
 *
 * @param turns the numbers of those turns, which grow with time
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
