package io.poolkeeper.status;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.RateLimiterView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * The last events of all pools, from the levels that are reported. Confined to one thread; views
 * are immutable. Times are monotonic.
 */
public final class Recent {
  /** The number of last writes of a load balancer that make its mean. */
  private static final int WRITES = 20;

  /**
   * A view of the present.
   *
   * @param logs of the pools that are followed
   * @param meanWrites of the load balancers that were written
   * @param writesLately in the last 5 minutes
   */
  public record View(
      Map<PoolId, PoolLog> logs,
      Map<LoadBalancerId, Duration> meanWrites,
      List<HalfHour.Step> steps,
      List<HalfHour.Throttle> throttles,
      Instant from,
      int writesLately) {
    public static final View NONE =
        new View(Map.of(), Map.of(), List.of(), List.of(), Instant.EPOCH, 0);

    public PoolLog log(PoolId pool) {
      return logs.getOrDefault(pool, PoolLog.EMPTY);
    }
  }

  private final HalfHour halfHour;
  private final Map<PoolId, Instant> pending = new HashMap<>();
  private final Map<PoolId, Instant> writing = new HashMap<>();
  private final Map<LoadBalancerId, Deque<Duration>> writes = new HashMap<>();
  private HashPMap<PoolId, PoolLog> logs = HashTreePMap.empty();
  private Instant gate = Instant.EPOCH;

  public Recent(Instant now) {
    halfHour = new HalfHour(now);
  }

  /** A pool has another status, and belongs to that trace. */
  public void changed(
      Optional<PoolStatus> before, PoolStatus after, Optional<String> trace, Instant now) {
    advance(now);
    PoolId id = after.id();
    PoolLog log = logs.getOrDefault(id, PoolLog.EMPTY).next(before, after, trace, now);
    logs = logs.plus(id, log);
    log.behind().ifPresentOrElse(since -> pending.put(id, since), () -> pending.remove(id));
    boolean writes = after.state() == State.WRITING;
    if (writes && writing.putIfAbsent(id, now) == null) {
      halfHour.wrote();
    } else if (!writes) {
      Optional.ofNullable(writing.remove(id))
          .ifPresent(since -> wrote(id.loadBalancer(), Duration.between(since, now)));
    }
  }

  private void wrote(LoadBalancerId id, Duration took) {
    Deque<Duration> last = writes.computeIfAbsent(id, loadBalancer -> new ArrayDeque<>());
    last.addLast(took);
    if (last.size() > WRITES) {
      last.removeFirst();
    }
  }

  public void forgotten(PoolId pool, Instant now) {
    advance(now);
    pending.remove(pool);
    writing.remove(pool);
    logs = logs.minus(pool);
  }

  public void reached(Duration took, Instant now) {
    advance(now);
    halfHour.reached(took);
  }

  public void rateLimiter(RateLimiterView view, Instant now) {
    view.gate(true, now)
        .filter(until -> until.isAfter(gate))
        .ifPresent(
            until -> {
              gate = until;
              advance(now);
              halfHour.throttled(now, until);
            });
  }

  private Optional<Instant> oldest() {
    return pending.values().stream().min(Instant::compareTo);
  }

  private void advance(Instant now) {
    if (halfHour.due(now)) {
      halfHour.advance(now, oldest());
    }
  }

  public View view(Instant now) {
    advance(now);
    Map<LoadBalancerId, Duration> means = new HashMap<>();
    writes.forEach(
        (id, last) ->
            means.put(
                id, last.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(last.size())));
    return new View(
        logs,
        means,
        halfHour.steps(now, oldest()),
        halfHour.throttles(),
        halfHour.from(),
        halfHour.writesLately());
  }
}
