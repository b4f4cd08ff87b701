package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import java.util.Optional;
import java.util.Set;

/**
 * A pool's report to the node watcher: which nodes' entries do not have the right admin state yet.
 * {@link Drain} makes one when it hears of nodes, and when a read or an attempt shows more.
 *
 * @param version of the {@link io.poolkeeper.model.OutOfService} that is followed
 * @param pending the nodes whose entries do not have the state yet that this version wants, in a
 *     view that is newer than the version
 * @param held the nodes out of service of which an entry stays as it is, as too few would be left
 * @param failure of the last attempt; empty if it succeeded
 */
public record AdminReport(
    long version, Set<NodeKey> pending, Set<NodeKey> held, Optional<ArmFailure> failure) {
  public AdminReport {
    pending = Set.copyOf(pending);
    held = Set.copyOf(held);
  }

  AdminReport succeeded() {
    return new AdminReport(version, pending, held, Optional.empty());
  }
}
