package io.poolkeeper.status;

import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.shadow.ShadowComparison;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The state of everything, pools in the order of their names.
 *
 * @param optedOut the pools of {@code knowledge} that are not managed, also those that are followed
 * @param rateLimiter empty until it has started
 * @param comparison empty unless in shadow mode
 * @param recent the last events
 * @param quota what ARM says is left of the subscription's quota
 * @param leadsSince when this process began to lead; empty while it does not; monotonic
 * @param lastListing when all resource groups were listed last; monotonic
 * @param version differs after any change
 */
public record Snapshot(
    List<PoolStatus> pools,
    Knowledge knowledge,
    List<PoolStatus> optedOut,
    Optional<RateLimiterView> rateLimiter,
    NodesView nodes,
    BindingsView bindings,
    PauseView pause,
    Optional<ShadowComparison> comparison,
    Recent.View recent,
    CallsLeft quota,
    Optional<Instant> leadsSince,
    Optional<Instant> lastListing,
    long version) {
  public Snapshot {
    pools = List.copyOf(pools);
    optedOut = List.copyOf(optedOut);
  }

  /** The pools that are not managed, in the order of their names. */
  public static List<PoolStatus> optedOut(Knowledge knowledge) {
    return knowledge.untouched().entrySet().stream()
        .map(
            pool ->
                PoolStatus.optedOut(
                    pool.getKey(), pool.getValue().services(), pool.getValue().why()))
        .sorted(Comparator.comparing(PoolStatus::id))
        .toList();
  }

  /** Since when the leftovers of a kind are known, in pools such as these. */
  public Stream<Instant> leftovers(Leftover.Kind kind, Predicate<PoolStatus> which) {
    return pools.stream()
        .filter(which)
        .flatMap(pool -> pool.picture().leftovers().entrySet().stream())
        .filter(leftover -> leftover.getKey().kind() == kind)
        .map(Map.Entry::getValue);
  }

  /** All pools, followed or not managed, in one pass over both sorted lists. */
  public List<PoolStatus> allPools() {
    if (optedOut.isEmpty()) {
      return pools;
    }
    List<PoolStatus> all = new ArrayList<>(pools.size() + optedOut.size());
    int next = 0;
    for (PoolStatus pool : pools) {
      while (next < optedOut.size() && optedOut.get(next).id().compareTo(pool.id()) < 0) {
        all.add(optedOut.get(next++));
      }
      next += next < optedOut.size() && optedOut.get(next).id().equals(pool.id()) ? 1 : 0;
      all.add(pool);
    }
    all.addAll(optedOut.subList(next, optedOut.size()));
    return all;
  }

  /** The number of leaving nodes that a pool has still to write. */
  long leaving() {
    return nodes.items().stream()
        .filter(node -> node.leaves() && !node.pending().isEmpty())
        .count();
  }
}
