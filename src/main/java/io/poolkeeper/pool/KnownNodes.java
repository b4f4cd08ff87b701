package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEntry;
import java.util.Optional;
import java.util.Set;

/**
 * A snapshot of the cluster's nodes whose addresses are known, which distinguishes their entries
 * from those of unknown ones. The entry of a node without address, whatever its name, may be that
 * node's. Shared between levels, never copied.
 */
public record KnownNodes(Set<NodeKey> names, Set<Address> addresses) {
  public KnownNodes {
    names = Set.copyOf(names);
    addresses = Set.copyOf(addresses);
  }

  /**
   * Whether the entry belongs to one of these nodes, by its name or by its address.
   *
   * @param mark that is no part of the node's name
   */
  boolean own(PoolEntry entry, Optional<Mark> mark) {
    String name = mark.map(of -> of.off(entry.name())).orElse(entry.name());
    return entry.address().map(addresses::contains).orElse(false)
        || (!name.isBlank() && names.contains(new NodeKey(name)));
  }
}
