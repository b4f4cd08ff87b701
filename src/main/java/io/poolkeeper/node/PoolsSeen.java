package io.poolkeeper.node;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import java.util.HashSet;
import java.util.Set;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * What the pools have reported, so that a question costs no look at all of them.
 *
 * @param pools all that have an actor
 * @param versions how many pools have reported which version
 * @param pending how many pools have which node to write
 * @param listed a version after which a listing has shown all pools
 */
record PoolsSeen(
    HashPMap<PoolId, Seen> pools,
    TreePMap<Long, Integer> versions,
    HashPMap<NodeKey, Integer> pending,
    long listed) {
  static final PoolsSeen NONE =
      new PoolsSeen(HashTreePMap.empty(), TreePMap.empty(), HashTreePMap.empty(), -1);

  /** What one pool has reported last. */
  record Seen(long version, Set<NodeKey> pending) {
    static final Seen NOTHING = new Seen(0, Set.of());

    Seen {
      pending = Set.copyOf(pending);
    }
  }

  boolean has(PoolId pool) {
    return pools.containsKey(pool);
  }

  Seen of(PoolId pool) {
    return pools.getOrDefault(pool, Seen.NOTHING);
  }

  /** The version that all pools have dealt with. */
  long complete() {
    return versions.isEmpty() ? listed : Math.min(listed, versions.firstKey());
  }

  boolean pending(NodeKey node) {
    return pending.containsKey(node);
  }

  PoolsSeen listed(long version) {
    return new PoolsSeen(pools, versions, pending, Math.max(listed, version));
  }

  PoolsSeen without(PoolId pool) {
    if (!has(pool)) {
      return this;
    }
    Seen seen = of(pool);
    return new PoolsSeen(
        pools.minus(pool),
        add(versions, seen.version(), -1),
        counted(pending, seen.pending(), -1),
        listed);
  }

  PoolsSeen with(PoolId pool, Seen seen) {
    // Only what differs: most reports repeat most of what the last one had.
    Set<NodeKey> begins = new HashSet<>(seen.pending());
    begins.removeAll(of(pool).pending());
    Set<NodeKey> ends = new HashSet<>(of(pool).pending());
    ends.removeAll(seen.pending());
    TreePMap<Long, Integer> others = has(pool) ? add(versions, of(pool).version(), -1) : versions;
    return new PoolsSeen(
        pools.plus(pool, seen),
        add(others, seen.version(), 1),
        counted(counted(pending, begins, 1), ends, -1),
        listed);
  }

  private static TreePMap<Long, Integer> add(
      TreePMap<Long, Integer> counts, long version, int more) {
    int count = counts.getOrDefault(version, 0) + more;
    return count == 0 ? counts.minus(version) : counts.plus(version, count);
  }

  private static HashPMap<NodeKey, Integer> counted(
      HashPMap<NodeKey, Integer> counts, Set<NodeKey> nodes, int more) {
    HashPMap<NodeKey, Integer> result = counts;
    for (NodeKey node : nodes) {
      int count = result.getOrDefault(node, 0) + more;
      result = count == 0 ? result.minus(node) : result.plus(node, count);
    }
    return result;
  }
}
