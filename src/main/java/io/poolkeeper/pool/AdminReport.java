package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import java.util.Optional;
import java.util.Set;

/**
 * How far a pool has followed the nodes that are out of service.
 *
 * @param version which {@link io.poolkeeper.model.OutOfService}
 * @param pending the nodes whose entries do not have the state yet that this version wants; seen
 *     after the version had arrived
 * @param held the nodes out of service of which an entry stays as it is, as too few would be left
 * @param failure of the last attempt, while it has not succeeded since
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
