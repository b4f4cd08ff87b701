package io.poolkeeper.pool;

import io.poolkeeper.model.NodeKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The endpoints of a Service for which its pools get no entry, for a reason that does not pass by
 * itself.
 *
 * @param excluded their nodes that get no entry, each with the label or taint that excludes it
 * @param nodeless how many endpoints name no node
 */
public record IgnoredEndpoints(NavigableMap<NodeKey, String> excluded, int nodeless) {
  public static final IgnoredEndpoints NONE = new IgnoredEndpoints(new TreeMap<>(), 0);

  /** So many nodes are named. */
  private static final int MOST = 3;

  public IgnoredEndpoints {
    excluded = Collections.unmodifiableNavigableMap(new TreeMap<>(excluded));
  }

  /** In words; empty if there are none. */
  @Override
  public String toString() {
    List<String> reasons = new ArrayList<>();
    if (nodeless > 0) {
      reasons.add(
          nodeless == 1 ? "1 endpoint names no node" : nodeless + " endpoints name no node");
    }
    excluded.entrySet().stream()
        .limit(MOST)
        .map(node -> "node %s is excluded by its %s".formatted(node.getKey(), node.getValue()))
        .forEach(reasons::add);
    if (excluded.size() > MOST) {
      reasons.add("and so are %d more nodes".formatted(excluded.size() - MOST));
    }
    return String.join("; ", reasons);
  }
}
