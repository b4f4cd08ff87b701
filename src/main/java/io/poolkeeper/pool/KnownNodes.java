package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEntry;
import java.util.Set;

/**
 * The nodes of the cluster at one moment: what tells an entry that belongs to a node from one that
 * cannot be tied to any. Shared between levels, never copied.
 */
public record KnownNodes(Set<NodeKey> names, Set<Address> addresses) {
  /** Whether the entry belongs to one of these nodes, by its name or by its address. */
  boolean own(PoolEntry entry) {
    return entry.address().map(addresses::contains).orElse(false)
        || (!entry.name().isBlank() && names.contains(new NodeKey(entry.name())));
  }
}
