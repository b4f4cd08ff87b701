package io.poolkeeper.armsim;

import io.poolkeeper.armsim.model.ResourceMap;
import io.poolkeeper.model.LoadBalancerId;
import java.util.HashMap;
import java.util.Map;

/**
 * The part of a running simulator that any thread may read. Only the actor writes; the effects of a
 * call are visible here before its answer is sent.
 */
final class SimView {
  final Journal journal = new Journal();
  final WritesInFlight writes = new WritesInFlight();
  private volatile ResourceMap resources = ResourceMap.empty();

  ResourceMap resources() {
    return resources;
  }

  void publish(ResourceMap immutable) {
    resources = immutable;
  }

  /**
   * Counts the writes in flight per load balancer, and their maximum. A write is in flight from its
   * arrival until it is refused or its operation has ended. One thread writes, any thread may read
   * the maximum.
   */
  public static final class WritesInFlight {
    private final Map<LoadBalancerId, Integer> now = new HashMap<>();
    private volatile int max;

    public void enter(LoadBalancerId id) {
      max = Math.max(max, now.merge(id, 1, Integer::sum));
    }

    /** A write was refused, or its operation ended. */
    public void leave(LoadBalancerId id) {
      now.computeIfPresent(id, (key, count) -> count == 1 ? null : count - 1);
    }

    public int max() {
      return max;
    }

    public void clear() {
      now.clear();
      max = 0;
    }
  }
}
