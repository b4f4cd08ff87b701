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
 * @param versions how many pools have reported each version, but for the unseen ones
 * @param pending how many pools have each node to write
 * @param held how many pools keep each node in service although it leaves
 * @param listed a version after which a listing has shown all other pools
 * @param unseen see {@link NodeEvent.Listed}
 * @param unread likewise
 */
record PoolsSeen(
    HashPMap<PoolId, Seen> pools,
    TreePMap<Long, Integer> versions,
    HashPMap<NodeKey, Integer> pending,
    HashPMap<NodeKey, Integer> held,
    long listed,
    Map<PoolId, Set<NodeKey>> unseen,
    Set<String> unread) {
  static final PoolsSeen NONE =
      new PoolsSeen(
          HashTreePMap.empty(),
          TreePMap.empty(),
          HashTreePMap.empty(),
          HashTreePMap.empty(),
          NodeEvent.Listed.NOTHING.version(),
          NodeEvent.Listed.NOTHING.unseen(),
          NodeEvent.Listed.NOTHING.unread());

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

  /** The nodes that concern the pool. */
  Set<NodeKey> nodes(PoolId pool) {
    Set<NodeKey> all = of(pool).nodes();
    all.addAll(unseen.getOrDefault(pool, Set.of()));
    return all;
  }

  /** How many pools may have the node in another state than the version wants. */
  int unreported(NodeKey node, long version) {
    long hidden =
        unseen.entrySet().stream()
            .filter(of -> of.getValue().contains(node) && has(of.getKey()))
            .filter(of -> of(of.getKey()).version() < version)
            .count();
    return (int) hidden
        + versions.headMap(version).values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The version that all pools have applied, but for the unseen ones. */
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

  PoolsSeen listed(NodeEvent.Listed last) {
    TreePMap<Long, Integer> counts = versions;
    for (PoolId pool : unseen.keySet()) {
      counts = has(pool) ? add(counts, of(pool).version(), 1) : counts;
    }
    for (PoolId pool : last.unseen().keySet()) {
      counts = has(pool) ? add(counts, of(pool).version(), -1) : counts;
    }
    return new PoolsSeen(
        pools, counts, pending, held, last.version(), last.unseen(), last.unread());
  }

  PoolsSeen without(PoolId pool) {
    return has(pool)
        ? new PoolsSeen(
            pools.minus(pool),
            others(pool),
            counted(pending, of(pool).pending(), Set.of()),
            counted(held, of(pool).held(), Set.of()),
            listed,
            unseen,
            unread)
        : this;
  }

  /** The versions without that of the pool. */
  private TreePMap<Long, Integer> others(PoolId pool) {
    return has(pool) && !unseen.containsKey(pool)
        ? add(versions, of(pool).version(), -1)
        : versions;
  }

  PoolsSeen with(PoolId pool, Seen seen) {
    Seen before = of(pool);
    return new PoolsSeen(
        pools.plus(pool, seen),
        unseen.containsKey(pool) ? versions : add(others(pool), seen.version(), 1),
        counted(pending, before.pending(), seen.pending()),
        counted(held, before.held(), seen.held()),
        listed,
        unseen,
        unread);
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
