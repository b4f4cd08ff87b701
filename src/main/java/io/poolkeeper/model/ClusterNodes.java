package io.poolkeeper.model;

import java.util.Map;
import java.util.Optional;

/**
 * Which node an entry of a pool belongs to: by any of its InternalIPs, or by the machine of its
 * provider id; never by the entry's name, which anybody may give. A snapshot, shared and never
 * copied. Nodes that are to be left alone are not in it.
 *
 * @param byAddress all InternalIPs of all nodes
 * @param byMachine the ARM ids of virtual machines and of instances of scale sets, folded
 */
public record ClusterNodes(Map<Address, NodeKey> byAddress, Map<String, NodeKey> byMachine) {
  public static final ClusterNodes NONE = new ClusterNodes(Map.of(), Map.of());

  /** The node of an entry of an address. */
  public Optional<NodeKey> of(PoolEntry entry) {
    return entry.address().map(byAddress::get);
  }
}
