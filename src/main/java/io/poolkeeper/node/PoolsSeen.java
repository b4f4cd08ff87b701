package io.poolkeeper.node;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * The last reports of pools, counted, so that no question looks at all pools.
 *
 * @param pools all that have an actor
 * @param versions how many pools have reported each version
 * @param pending how many pools have each node to write
 * @param held how many pools keep each node in service although it leaves
 * @param listed a version after which a listing has shown all pools
 */
record PoolsSeen(
    HashPMap<PoolId, Seen> pools,
    TreePMap<Long, Integer> versions,
    HashPMap<NodeKey, Integer> pending,
    HashPMap<NodeKey, Integer> held,
    long listed) {
  static final PoolsSeen NONE =
      new PoolsSeen(
          HashTreePMap.empty(), TreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty(), -1);

  /** What one pool has reported last. */
  record Seen(long version, Set<NodeKey> pending, Set<NodeKey> held) {
    static final Seen NOTHING = new Seen(0, Set.of(), Set.of());

    Seen {
      pending = Set.copyOf(pending);
      held = Set.copyOf(held);
    }

    Set<NodeKey> nodes() {
      Set<NodeKey> all = new HashSet<>(pending);
      all.addAll(held);
      return all;
    }
  }

  boolean has(PoolId pool) {
    return pools.containsKey(pool);
  }

  Seen of(PoolId pool) {
    return pools.getOrDefault(pool, Seen.NOTHING);
  }

  /** The version that all pools have applied. */
  long complete() {
    return versions.isEmpty() ? listed : Math.min(listed, versions.firstKey());
  }

  boolean pending(NodeKey node) {
    return pending.containsKey(node);
  }

  boolean held(NodeKey node) {
    return held.containsKey(node);
  }

  /** The pools with such a report, by name. */
  List<PoolId> where(Predicate<Seen> report) {
    return pools.entrySet().stream()
        .filter(pool -> report.test(pool.getValue()))
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparing(PoolId::path))
        .toList();
  }

  PoolsSeen listed(long version) {
    return new PoolsSeen(pools, versions, pending, held, Math.max(listed, version));
  }

  PoolsSeen without(PoolId pool) {
    return has(pool)
        ? new PoolsSeen(
            pools.minus(pool),
            add(versions, of(pool).version(), -1),
            counted(pending, of(pool).pending(), Set.of()),
            counted(held, of(pool).held(), Set.of()),
            listed)
        : this;
  }

  PoolsSeen with(PoolId pool, Seen seen) {
    Seen before = of(pool);
    TreePMap<Long, Integer> others = has(pool) ? add(versions, before.version(), -1) : versions;
    return new PoolsSeen(
        pools.plus(pool, seen),
        add(others, seen.version(), 1),
        counted(pending, before.pending(), seen.pending()),
        counted(held, before.held(), seen.held()),
        listed);
  }

  private static TreePMap<Long, Integer> add(
      TreePMap<Long, Integer> counts, long version, int more) {
    int count = counts.getOrDefault(version, 0) + more;
    return count == 0 ? counts.minus(version) : counts.plus(version, count);
  }

  /** Counts the differences only: most reports repeat most of the last one. */
  private static HashPMap<NodeKey, Integer> counted(
      HashPMap<NodeKey, Integer> counts, Set<NodeKey> before, Set<NodeKey> after) {
    HashPMap<NodeKey, Integer> result = counts;
    for (NodeKey node : after) {
      if (!before.contains(node)) {
        result = result.plus(node, result.getOrDefault(node, 0) + 1);
      }
    }
    for (NodeKey node : before) {
      if (!after.contains(node)) {
        int count = result.getOrDefault(node, 0) - 1;
        result = count == 0 ? result.minus(node) : result.plus(node, count);
      }
    }
    return result;
  }
}
