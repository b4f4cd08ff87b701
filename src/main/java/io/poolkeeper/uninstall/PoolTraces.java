package io.poolkeeper.uninstall;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.pool.AdminPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What Poolkeeper has left in a pool: entries with the cluster's mark (spec 5), and entries of its
 * nodes that are Down (spec 2). Members that the cloud provider would write, too, stay.
 *
 * @param edit removes these entries, or sets them from Down to None
 * @param lines one for each entry
 */
public record PoolTraces(PoolId pool, PoolEdit edit, List<String> lines) {
  /** The traces in a pool as it was read; {@code states} if its admin states are ours. */
  static PoolTraces of(PoolView view, Mark mark, ClusterNodes nodes, boolean states) {
    PoolEdit members = PoolEdit.of(view.marked(mark), Map.of(), Optional.of(mark));
    SortedMap<String, AdminState> lifted = new TreeMap<>();
    List<String> lines = new ArrayList<>();
    for (PoolEntry entry : view.entries()) {
      if (members.removes(entry.name(), entry.address())) {
        lines.add(text(view, entry) + ": removed");
      } else if (states && mayBeOurs(view, entry, nodes)) {
        lifted.put(entry.name(), AdminState.NONE);
        lines.add(text(view, entry) + ": Down to None");
      }
    }
    return new PoolTraces(view.id(), members.with(lifted), List.copyOf(lines));
  }

  /** The interfaces on whose machines it depends whether a Down may be ours. */
  static Stream<String> interfaces(PoolView view) {
    return view.entries().stream()
        .filter(entry -> lowered(view, entry))
        .flatMap(AdminPlan::interfaces);
  }

  private static boolean mayBeOurs(PoolView view, PoolEntry entry, ClusterNodes nodes) {
    return lowered(view, entry) && nodes.of(entry).isPresent();
  }

  /** The rule that sent to the pool when it was written may be away. */
  private static boolean lowered(PoolView view, PoolEntry entry) {
    return entry.adminState() == AdminState.DOWN && !view.outbound() && !entry.name().isBlank();
  }

  private static String text(PoolView pool, PoolEntry entry) {
    String address = entry.address().map(at -> " (" + at.text() + ")").orElse("");
    return "%s: %s%s".formatted(name(pool.id()), entry.name(), address);
  }

  /** For people, who may have load balancers of one name in several groups. */
  static String name(PoolId pool) {
    return "Pool %s/%s".formatted(pool.loadBalancer().resourceGroup(), pool);
  }
}
