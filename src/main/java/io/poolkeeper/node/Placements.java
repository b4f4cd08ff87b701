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

  /** Two Ready Nodes that claim the same address or machine, and which of them has it. */
  public record Contest(NodeKey owner, NodeKey rival) implements Comparable<Contest> {
    @Override
    public int compareTo(Contest other) {
      int byOwner = owner.compareTo(other.owner);
      return byOwner != 0 ? byOwner : rival.compareTo(other.rival);
    }
  }

  /**
   * The placements of all nodes.
   *
   * @param leaving the nodes that are out of service
   * @param machines the machines of the network interfaces that were read, by IP configuration
   */
  public static Placements of(
      Collection<NodeView> nodes, Set<NodeKey> leaving, Map<String, String> machines) {
    Map<Address, NodeView> byAddress = new HashMap<>();
    Map<String, NodeView> byMachine = new HashMap<>();
    Map<Contest, String> contests = new HashMap<>();
    // The owner comes last, and so replaces its rivals.
    Comparator<NodeView> order =
        Comparator.comparing(NodeView::ready)
            .thenComparing(node -> node.ready() && !leaving.contains(node.key()))
            .thenComparing((node, other) -> (node.ready() ? -1 : 1) * AGE.compare(node, other));
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
      NodeView owner, @Nullable NodeView rival, String claim, Map<Contest, String> contests) {
    if (rival != null && rival.ready()) {
      contests.putIfAbsent(new Contest(owner.key(), rival.key()), claim);
    }
  }

  private static <T> Map<T, NodeKey> keys(Map<T, NodeView> nodes) {
    Map<T, NodeKey> keys = new HashMap<>(); // Map.copyOf compares thrice as often for addresses
    nodes.forEach((place, node) -> keys.put(place, node.key()));
    return Collections.unmodifiableMap(keys);
  }
}
