package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEntry;
import java.util.Set;

/**
 * A snapshot of the cluster's nodes, which distinguishes entries of nodes from entries of unknown
 * ones. Shared between levels, never copied.
 */
public record KnownNodes(Set<NodeKey> names, Set<Address> addresses) {
  /** Whether the entry belongs to one of these nodes, by its name or by its address. */
  boolean own(PoolEntry entry) {
    return entry.address().map(addresses::contains).orElse(false)
        || (!entry.name().isBlank() && names.contains(new NodeKey(entry.name())));
  }
}
