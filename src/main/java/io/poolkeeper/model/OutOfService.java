package io.poolkeeper.model;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All nodes that new connections must not reach: a level, not a change (spec 2).
 *
 * @param version grows with every change of the level
 * @param nodes all nodes of the cluster
 * @param leaving the nodes that are out of service
 * @param live whether nodes are watched: while the watch is lost, nothing is set back to None
 * @param minActive the number of entries of each pool that are never set Down, however many leave;
 *     0 or more
 */
public record OutOfService(
    long version,
    ClusterNodes nodes,
    NavigableMap<NodeKey, Leaving> leaving,
    boolean live,
    int minActive) {
  public static final OutOfService UNKNOWN =
      new OutOfService(0, ClusterNodes.NONE, new TreeMap<>(), false, 0);

  public OutOfService {
    leaving = Collections.unmodifiableNavigableMap(leaving);
  }

  /** Whether the same nodes leave, known by their UIDs. */
  public boolean leavesAs(OutOfService other) {
    if (leaving.size() != other.leaving.size()) {
      return false;
    }
    for (Map.Entry<NodeKey, Leaving> node : leaving.entrySet()) {
      Leaving same = other.leaving.get(node.getKey());
      if (same == null || !same.uid().equals(node.getValue().uid())) {
        return false;
      }
    }
    return true;
  }

  /** Whether the entry is of the same node in both, and that leaves in both or in none. */
  public boolean sameOf(PoolEntry entry, OutOfService other) {
    Optional<NodeKey> node = nodes.of(entry);
    return (nodes.is(other.nodes) || node.equals(other.nodes.of(entry)))
        && (node.isEmpty() || sameOf(node.get(), other));
  }

  /** Whether the node leaves in both, for the same reasons and since the same time, or in none. */
  public boolean sameOf(NodeKey node, OutOfService other) {
    return Objects.equals(leaving.get(node), other.leaving.get(node));
  }

  /** Taint of a node that is shut down for a preemption, or that an operator drains. */
  public static final String DRAINING = "cloudprovider.azure.microsoft.com/draining";

  /** Why a node leaves, with its taint if there is one, and in words. */
  public enum Reason {
    OUT_OF_SERVICE("node.kubernetes.io/out-of-service", "out of service"),
    SHUTDOWN("node.cloudprovider.kubernetes.io/shutdown", "shutdown"),
    SPOT_EVICTION(DRAINING, "spot eviction"),
    /** A taint of {@code admin-state.extra-taints}. */
    EXTRA_TAINT("", "extra taint");

    private final String taint;
    private final String words;

    Reason(String taint, String words) {
      this.taint = taint;
      this.words = words;
    }

    public boolean isIn(Set<String> taints) {
      return taints.contains(taint);
    }

    public String words() {
      return words;
    }
  }

  /**
   * A node that is out of service.
   *
   * @param uid of the Node: another one under the same name begins clean
   * @param since when the first signal was seen, monotonic
   */
  public record Leaving(String uid, Set<Reason> reasons, Instant since) {
    public Leaving {
      reasons = Set.copyOf(reasons);
    }
  }
}
