package io.poolkeeper.node;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodeEvent.Listed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * The last reports of pools to the node watcher, counted, so that no question needs all pools.
 *
 * @param pools all that have an actor
 * @param versions how many pools have reported each version, but for those that the last listing
 *     could not show
 * @param pending how many pools still have to write the state of each node
 * @param held how many pools keep each node in service although it leaves
 * @param hidden versions of pools that the last listing could not show, for each node they concern
 * @param listed the last listing
 */
record PoolsSeen(
    HashPMap<PoolId, Seen> pools,
    TreePMap<Long, Integer> versions,
    HashPMap<NodeKey, Integer> pending,
    HashPMap<NodeKey, Integer> held,
    HashPMap<NodeKey, TreePMap<Long, Integer>> hidden,
    Listed listed) {
  static final PoolsSeen NONE =
      new PoolsSeen(
          HashTreePMap.empty(),
          TreePMap.empty(),
          HashTreePMap.empty(),
          HashTreePMap.empty(),
          HashTreePMap.empty(),
          Listed.NOTHING);

  /** What one pool has reported last. */
  record Seen(long version, Set<NodeKey> pending, Set<NodeKey> held) {
    static final Seen NOTHING = new Seen(0, Set.of(), Set.of());

    Seen {
      pending = Set.copyOf(pending);
      held = Set.copyOf(held);
    }

    Set<NodeKey> nodes() {
      Set<NodeKey> nodes = new HashSet<>(pending);
      nodes.addAll(held);
      return nodes;
    }
  }

  boolean has(PoolId pool) {
    return pools.containsKey(pool);
  }

  /** What the pool has reported last. */
  Seen report(PoolId pool) {
    return pools.getOrDefault(pool, Seen.NOTHING);
  }

  /** The nodes that concern the pool. */
  Set<NodeKey> nodes(PoolId pool) {
    Set<NodeKey> nodes = report(pool).nodes();
    nodes.addAll(listed.unseen().getOrDefault(pool, Set.of()));
    return nodes;
  }

  /** How many pools may have the node in another state than the version wants. */
  int unreported(NodeKey node, long version) {
    return before(versions, version) + before(hidden.getOrDefault(node, TreePMap.empty()), version);
  }

  private static int before(TreePMap<Long, Integer> counts, long version) {
    return counts.headMap(version).values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The version that all pools have applied, but for the unseen ones. */
  long complete() {
    long shown = listed.version();
    return versions.isEmpty() ? shown : Math.min(shown, versions.firstKey());
  }

  boolean pending(NodeKey node) {
    return pending.containsKey(node);
  }

  boolean held(NodeKey node) {
    return held.containsKey(node);
  }

  /** The pools with such a report, by name. */
  List<PoolId> poolsWhere(Predicate<Seen> report) {
    return pools.entrySet().stream()
        .filter(pool -> report.test(pool.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /**
   * The pools that report each node, in order. Each pool is looked at once for all nodes.
   *
   * @param nodes the nodes of a report that count
   */
  Map<NodeKey, List<PoolId>> poolsByNode(Function<Seen, Set<NodeKey>> nodes) {
    Map<NodeKey, List<PoolId>> byNode = new HashMap<>();
    // Sorted once, and not once for each node: there may be thousands of both.
    List<Map.Entry<PoolId, Seen>> reporting =
        pools.entrySet().stream()
            .filter(pool -> !nodes.apply(pool.getValue()).isEmpty())
            .sorted(Map.Entry.comparingByKey())
            .toList();
    for (Map.Entry<PoolId, Seen> pool : reporting) {
      for (NodeKey node : nodes.apply(pool.getValue())) {
        byNode.computeIfAbsent(node, first -> new ArrayList<>()).add(pool.getKey());
      }
    }
    return byNode;
  }

  PoolsSeen listed(Listed last) {
    Map<PoolId, Set<NodeKey>> unseen = listed.unseen();
    Set<PoolId> changed = new HashSet<>(unseen.keySet());
    changed.addAll(last.unseen().keySet());
    changed.removeIf(
        pool -> !has(pool) || Objects.equals(unseen.get(pool), last.unseen().get(pool)));
    PoolsSeen before = this;
    for (PoolId pool : changed) {
      before = before.addVersion(pool, -1);
    }
    PoolsSeen after = new PoolsSeen(pools, before.versions, pending, held, before.hidden, last);
    for (PoolId pool : changed) {
      after = after.addVersion(pool, 1);
    }
    return after;
  }

  PoolsSeen without(PoolId pool) {
    return has(pool)
        ? addVersion(pool, -1).replaced(pools.minus(pool), report(pool), Seen.NOTHING)
        : this;
  }

  PoolsSeen with(PoolId pool, Seen seen) {
    PoolsSeen others = has(pool) ? addVersion(pool, -1) : this;
    return others.replaced(pools.plus(pool, seen), report(pool), seen).addVersion(pool, 1);
  }

  private PoolsSeen replaced(HashPMap<PoolId, Seen> all, Seen before, Seen after) {
    HashPMap<NodeKey, Integer> pendingIn = counted(pending, before.pending(), after.pending());
    HashPMap<NodeKey, Integer> heldIn = counted(held, before.held(), after.held());
    return new PoolsSeen(all, versions, pendingIn, heldIn, hidden, listed);
  }

  /**
   * Counts the version of a pool: for all nodes, or for those of an unseen pool.
   *
   * @param more 1, or -1 to count it no longer
   */
  private PoolsSeen addVersion(PoolId pool, int more) {
    long version = report(pool).version();
    Set<NodeKey> unseen = listed.unseen().get(pool);
    if (unseen == null) {
      TreePMap<Long, Integer> counts = add(versions, version, more);
      return new PoolsSeen(pools, counts, pending, held, hidden, listed);
    }
    HashPMap<NodeKey, TreePMap<Long, Integer>> counts = hidden;
    for (NodeKey node : unseen) {
      TreePMap<Long, Integer> ofNode = counts.getOrDefault(node, TreePMap.empty());
      counts = counts.plus(node, add(ofNode, version, more));
    }
    return new PoolsSeen(pools, versions, pending, held, counts, listed);
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
