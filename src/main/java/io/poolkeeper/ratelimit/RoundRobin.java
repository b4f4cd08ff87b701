package io.poolkeeper.ratelimit;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * The last permit of each namespace at one priority level: the namespace that was served longest
 * ago is next. A namespace that does not wait any more is remembered, or it would be first whenever
 * it comes back. Of too many, the one served longest ago is forgotten, and so it stays first.
 *
 * @param permits the number of each namespace's last permit; numbers grow with time
 */
record RoundRobin(Map<String, Long> permits) {
  static final RoundRobin NONE = new RoundRobin(Map.of());

  RoundRobin {
    permits = Collections.unmodifiableMap(permits);
  }

  /** The smaller, the longer ago the namespace was served; 0 if never, as far as is known. */
  long last(String namespace) {
    return permits.getOrDefault(namespace, 0L);
  }

  RoundRobin served(String namespace, long permit) {
    Map<String, Long> next = new HashMap<>(permits);
    next.put(namespace, permit);
    if (next.size() > RateLimiterLimits.MOST_NAMESPACES) {
      next.values().remove(Collections.min(next.values()));
    }
    return new RoundRobin(next);
  }
}
