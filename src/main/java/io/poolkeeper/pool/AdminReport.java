package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import java.util.Optional;
import java.util.Set;

/**
 * What a pool reports about the nodes that leave or have returned (spec 2): it was read after this
 * version of {@link io.poolkeeper.model.OutOfService} and shows all of them right except those that
 * are pending. A pool that has nodes to write reports them as pending before it reports none.
 *
 * @param version that the pool has dealt with; 0 for none
 * @param pending nodes with an entry whose admin state is still wrong, or not known to be right
 * @param failure how the last attempt to write them failed; empty if it did not
 */
public record AdminReport(long version, Set<NodeKey> pending, Optional<ArmFailure> failure) {
  public AdminReport {
    pending = Set.copyOf(pending);
  }
}
