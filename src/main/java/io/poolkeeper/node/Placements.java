package io.poolkeeper.node;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The node of each address and machine. A kubelet writes the addresses and the machine of its own
 * Node, and so may claim those of another. If two Nodes claim the same, the Ready one has it. If
 * neither is Ready, the newer one has it. If both are, one in service beats one that leaves, so
 * that no node takes another out of service; else the older one has it.
 *
 * @param contests of Ready Nodes, each pair once, with the first thing that both claim
 */
public record Placements(ClusterNodes nodes, Map<Contest, String> contests) {
  private static final Comparator<NodeView> AGE =
      Comparator.comparing(NodeView::created).thenComparing(NodeView::key);

  /** Two Ready Nodes with the same address or machine. */
  public record Contest(NodeKey has, NodeKey other) implements Comparable<Contest> {
    @Override
    public int compareTo(Contest of) {
      int by = has.compareTo(of.has);
      return by != 0 ? by : other.compareTo(of.other);
    }
  }

  /**
   * Of all nodes.
   *
   * @param leaving those that are out of service
   * @param machines of those interfaces that were read
   */
  public static Placements of(
      Collection<NodeView> nodes, Set<NodeKey> leaving, Map<String, String> machines) {
    Map<Address, NodeView> byAddress = new HashMap<>();
    Map<String, NodeView> byMachine = new HashMap<>();
    Map<Contest, String> contests = new HashMap<>();
    // The node that has it comes last.
    Comparator<NodeView> order =
        Comparator.comparing(NodeView::ready)
            .thenComparing(node -> node.ready() && !leaving.contains(node.key()))
            .thenComparing((one, other) -> (one.ready() ? -1 : 1) * AGE.compare(one, other));
    for (NodeView node : nodes.stream().sorted(order).toList()) {
      Placement place = Placement.of(node);
      for (Address address : place.addresses()) {
        contest(node, byAddress.put(address, node), address.text(), contests);
      }
      place
          .machine()
          .ifPresent(machine -> contest(node, byMachine.put(machine, node), machine, contests));
    }
    return new Placements(
        new ClusterNodes(keys(byAddress), keys(byMachine), machines), Map.copyOf(contests));
  }

  private static void contest(
      NodeView has, @Nullable NodeView other, String what, Map<Contest, String> contests) {
    if (other != null && other.ready()) {
      contests.putIfAbsent(new Contest(has.key(), other.key()), what);
    }
  }

  private static <T> Map<T, NodeKey> keys(Map<T, NodeView> nodes) {
    Map<T, NodeKey> keys = new HashMap<>(); // Map.copyOf compares thrice as often for addresses
    nodes.forEach((of, node) -> keys.put(of, node.key()));
    return Collections.unmodifiableMap(keys);
  }
}
