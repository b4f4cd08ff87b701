package io.poolkeeper.node;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeView;
import java.util.List;
import java.util.Optional;

/**
 * Where pools may contain a node.
 *
 * @param addresses all InternalIPs
 * @param machine the ARM id of its machine, folded; empty if it has none
 */
record Placement(List<Address> addresses, Optional<String> machine) {
  private static final Placement NOWHERE = new Placement(List.of(), Optional.empty());

  /** The placement of a node; nowhere if the node is to be left alone. */
  static Placement of(NodeView node) {
    return Signals.ignored(node) ? NOWHERE : new Placement(node.addresses(), node.machine());
  }
}
