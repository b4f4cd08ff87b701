package io.poolkeeper.node;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where pools may contain a node.
 *
 * @param addresses all InternalIPs
 * @param machine the ARM id of its machine, folded; empty if it has none
 */
public record Placement(List<Address> addresses, Optional<String> machine) {
  private static final Placement NOWHERE = new Placement(List.of(), Optional.empty());

  /** The placement of a node; nowhere if the node is to be left alone. */
  static Placement of(NodeView node) {
    return Signals.ignored(node) ? NOWHERE : new Placement(node.addresses(), node.machine());
  }

  /**
   * All nodes, with the machines of those interfaces that were read. Of two with the same address
   * or machine the newer one has it: the other is the object of a machine that was there before.
   */
  public static ClusterNodes of(Collection<NodeView> nodes, Map<String, String> machines) {
    Map<Address, NodeKey> byAddress = new HashMap<>();
    Map<String, NodeKey> byMachine = new HashMap<>();
    nodes.stream()
        .sorted(Comparator.comparing(NodeView::created).thenComparing(NodeView::key))
        .forEach(
            node -> {
              Placement place = of(node);
              place.addresses().forEach(address -> byAddress.put(address, node.key()));
              place.machine().ifPresent(machine -> byMachine.put(machine, node.key()));
            });
    return new ClusterNodes(Map.copyOf(byAddress), Map.copyOf(byMachine), machines);
  }
}
