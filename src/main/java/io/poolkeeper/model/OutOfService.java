package io.poolkeeper.model;

import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The nodes that new connections must not reach, whole: a level (spec 2).
 *
 * @param version grows with every change of it
 * @param nodes all nodes of the cluster
 * @param leaving those that are out of service
 * @param live whether the watch of nodes is: while it is lost, nothing is set back to None
 * @param minActive so many entries of each pool are never set Down, however many leave; 0 or more
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

  public enum Reason {
    /** Taint {@code node.kubernetes.io/out-of-service}. */
    OUT_OF_SERVICE,
    /** Taint {@code node.cloudprovider.kubernetes.io/shutdown}. */
    SHUTDOWN,
    /** Taint {@code cloudprovider.azure.microsoft.com/draining}. */
    SPOT_EVICTION,
    /** A taint of {@code admin-state.extra-taints}. */
    EXTRA_TAINT
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
