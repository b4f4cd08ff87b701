package io.poolkeeper.ops;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.service.MissingPool;
import io.poolkeeper.status.Cause;
import io.poolkeeper.status.Impact;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Snapshot;
import io.poolkeeper.status.Surroundings;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * The totals of a snapshot's pools, counted in one pass.
 *
 * @param states the number of pools in each state
 * @param behind the number of pools by the key of their cause
 * @param since when the oldest divergence of each cause began, by its key, and when the first
 *     Service without a pool was seen; intended causes are left out
 * @param without the number of Services without a right node
 */
record PoolTotals(
    Map<State, Integer> states,
    Map<String, Integer> behind,
    Map<String, Instant> since,
    int missing,
    int surplus,
    int without) {
  private static final String WITHOUT_POOL = Cause.key(Cause.WithoutPool.class);

  static PoolTotals of(Snapshot snapshot, Instant now) {
    Map<PoolId, ?> optedOut = snapshot.knowledge().untouched();
    Map<State, Integer> states = new EnumMap<>(State.class);
    Map<String, Integer> behind = new HashMap<>();
    Map<String, Instant> since = new HashMap<>();
    Set<ServiceKey> without = new HashSet<>();
    int missing = 0;
    int surplus = 0;
    int unmanaged = optedOut.size();
    Surroundings around = Surroundings.of(snapshot, now);
    for (PoolStatus pool : snapshot.pools()) {
      states.merge(pool.state(), 1, Integer::sum);
      missing += pool.difference().add();
      surplus += pool.difference().remove();
      unmanaged -= optedOut.containsKey(pool.id()) ? 1 : 0;
      without.addAll(Impact.without(snapshot, pool.id(), now).keySet());
      PoolLine line = PoolLine.of(pool, around);
      if (line.behind()) {
        add(line.cause().orElseThrow(), line, behind, since);
      }
    }
    snapshot.knowledge().withoutPool(now).values().stream()
        .map(MissingPool::since)
        .min(Comparator.naturalOrder())
        .ifPresent(first -> since.put(WITHOUT_POOL, first));
    states.merge(State.OPTED_OUT, unmanaged, Integer::sum);
    return new PoolTotals(states, behind, since, missing, surplus, without.size());
  }

  private static void add(
      Cause cause, PoolLine line, Map<String, Integer> behind, Map<String, Instant> since) {
    String key = cause.key();
    behind.merge(key, 1, Integer::sum);
    if (!Cause.ON_PURPOSE.contains(cause.getClass())) {
      line.since()
          .ifPresent(at -> since.merge(key, at, BinaryOperator.minBy(Comparator.naturalOrder())));
    }
  }
}
