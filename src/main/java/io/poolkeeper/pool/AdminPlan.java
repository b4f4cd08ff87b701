package io.poolkeeper.pool;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which entries have a wrong admin state (spec 2, Admin State Lifecycle): Down exactly if the node
 * is out of service, else None. An entry of no known node is left alone, and so is one that is Up
 * on a node in service. While the watch of nodes is lost, nothing is set back to None. A pool that
 * no rule sends to is left alone, and so is one for outbound connections.
 *
 * @param edit what to write, by the names of entries
 * @param nodes the nodes of those entries
 */
public record AdminPlan(SortedMap<String, AdminState> edit, Set<NodeKey> nodes) {
  static AdminPlan of(PoolView pool, OutOfService set) {
    SortedMap<String, AdminState> edit = new TreeMap<>();
    Set<NodeKey> nodes = new TreeSet<>();
    for (PoolEntry entry : balanced(pool) ? pool.entries() : List.<PoolEntry>of()) {
      // ARM knows an entry by its name; one without cannot be meant.
      Optional<NodeKey> node =
          Optional.of(entry).filter(e -> !e.name().isBlank()).flatMap(set.nodes()::of);
      node.flatMap(of -> wanted(entry.adminState(), set.leaving().containsKey(of), set.live()))
          .ifPresent(
              state -> {
                edit.put(entry.name(), state);
                nodes.add(node.get());
              });
    }
    return new AdminPlan(edit, nodes);
  }

  /** Whether any entry is a node's, so that its state may have to be set. */
  public static boolean concerns(PoolView pool, ClusterNodes nodes) {
    return balanced(pool) && pool.entries().stream().anyMatch(e -> nodes.of(e).isPresent());
  }

  private static boolean balanced(PoolView pool) {
    return !pool.rules().isEmpty() && !pool.outbound();
  }

  private static Optional<AdminState> wanted(AdminState now, boolean leaving, boolean live) {
    if (leaving) {
      return now == AdminState.DOWN ? Optional.empty() : Optional.of(AdminState.DOWN);
    }
    return now == AdminState.DOWN && live ? Optional.of(AdminState.NONE) : Optional.empty();
  }

  boolean isEmpty() {
    return edit.isEmpty();
  }
}
