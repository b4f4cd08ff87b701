package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.PoolEntry;
import java.util.Optional;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/**
 * A snapshot of the cluster's nodes whose addresses are known. An entry that belongs to none of
 * them may be that of a node whose address is not known yet, and so it must stay. Shared between
 * levels, never copied.
 *
 * @param addresses each with the number of nodes that have it
 */
public record KnownNodes(MapPSet<NodeKey> names, HashPMap<Address, Integer> addresses) {
  public static final KnownNodes NONE = new KnownNodes(HashTreePSet.empty(), HashTreePMap.empty());

  /** A node that was not there before. */
  public KnownNodes with(NodeView node) {
    HashPMap<Address, Integer> next = addresses;
    for (Address address : node.addresses()) {
      next = next.plus(address, next.getOrDefault(address, 0) + 1);
    }
    return node.addresses().isEmpty() ? this : new KnownNodes(names.plus(node.key()), next);
  }

  /** Without a node that was there. */
  public KnownNodes without(NodeView node) {
    HashPMap<Address, Integer> next = addresses;
    for (Address address : node.addresses()) {
      int left = next.getOrDefault(address, 1) - 1;
      next = left == 0 ? next.minus(address) : next.plus(address, left);
    }
    return node.addresses().isEmpty() ? this : new KnownNodes(names.minus(node.key()), next);
  }

  /**
   * Whether the entry belongs to one of these nodes, by its name or by its address.
   *
   * @param mark that is no part of the node's name
   */
  boolean own(PoolEntry entry, Optional<Mark> mark) {
    String name = mark.map(suffix -> suffix.off(entry.name())).orElse(entry.name());
    return entry.address().map(addresses::containsKey).orElse(false)
        || (!name.isBlank() && names.contains(new NodeKey(name)));
  }
}
