package io.poolkeeper.armsim.journal;

import io.poolkeeper.model.LoadBalancerId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePVector;

/**
 * Counts the writes in flight per load balancer, and their maximum, and remembers when there were
 * any. A write is in flight from its arrival until it is refused or its operation has ended. One
 * thread writes, any thread may read the maximum and the times.
 */
public final class WritesInFlight {
  /** A time without a pause, the newest ones. */
  private static final int MOST_SPANS = 10_000;

  private record Span(LoadBalancerId id, long from, long until) {
    long within(long begin, long end) {
      return Math.max(0, Math.min(until, end) - Math.max(from, begin));
    }
  }

  private final Map<LoadBalancerId, Integer> now = new HashMap<>();
  private volatile int max;
  private volatile HashPMap<LoadBalancerId, Long> since = HashTreePMap.empty();
  private volatile TreePVector<Span> spans = TreePVector.empty();

  /** A write arrived at a monotonic time. */
  public void enter(LoadBalancerId id, long nanos) {
    int count = now.merge(id, 1, Integer::sum);
    max = Math.max(max, count);
    since = since.containsKey(id) ? since : since.plus(id, nanos);
  }

  /** A write was refused, or its operation ended. */
  public void leave(LoadBalancerId id, long nanos) {
    now.computeIfPresent(id, (key, count) -> count == 1 ? null : count - 1);
    Long from = since.get(id);
    if (from != null && !now.containsKey(id)) {
      TreePVector<Span> room = spans.size() < MOST_SPANS ? spans : spans.minus(0);
      spans = room.plus(new Span(id, from, nanos));
      since = since.minus(id);
    }
  }

  /** The nanoseconds between two times in which writes to a load balancer were in flight. */
  public long nanos(LoadBalancerId id, long from, long until) {
    @Nullable Long begun = since.get(id);
    long running = begun == null ? 0 : new Span(id, begun, Long.MAX_VALUE).within(from, until);
    return running
        + spans.stream()
            .filter(span -> span.id().equals(id))
            .mapToLong(span -> span.within(from, until))
            .sum();
  }

  /** The most writes that were in flight at once on any load balancer. */
  public int max() {
    return max;
  }

  public void clear() {
    now.clear();
    max = 0;
    since = HashTreePMap.empty();
    spans = TreePVector.empty();
  }
}
