package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEntry;
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

  /** Whether the entry belongs to one of these nodes, by its name or by its address. */
  boolean own(PoolEntry entry) {
    return entry.address().map(addresses::contains).orElse(false)
        || (!entry.name().isBlank() && names.contains(new NodeKey(entry.name())));
  }
}
