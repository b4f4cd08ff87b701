package io.poolkeeper.node;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The node of each address and machine. A kubelet writes both of its own Node, and so may claim
 * those of another. Of two Ready Nodes the older one has what both claim. A Ready one beats others:
 * they are objects of machines that were there before. Of those the newer one has it.
 *
 * @param contests of Ready Nodes, each pair once, with the first thing that both claim
 */
public record Placements(ClusterNodes nodes, Map<Contest, String> contests) {
  private static final Comparator<NodeView> AGE =
      Comparator.comparing(NodeView::created).thenComparing(NodeView::key);

  /** The node that has it comes last. */
  private static final Comparator<NodeView> ORDER =
      Comparator.comparing(NodeView::ready)
          .thenComparing(
              (one, other) -> one.ready() ? AGE.compare(other, one) : AGE.compare(one, other));

  /** Two Ready Nodes with the same address or machine. */
  public record Contest(NodeKey has, NodeKey other) {}

  /** Of all nodes, with the machines of those interfaces that were read. */
  public static Placements of(Collection<NodeView> nodes, Map<String, String> machines) {
    Map<Address, NodeView> byAddress = new HashMap<>();
    Map<String, NodeView> byMachine = new HashMap<>();
    Map<Contest, String> contests = new HashMap<>();
    for (NodeView node : nodes.stream().sorted(ORDER).toList()) {
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
    return nodes.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, of -> of.getValue().key()));
  }
}
