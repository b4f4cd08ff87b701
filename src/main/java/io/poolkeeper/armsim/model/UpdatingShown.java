package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.PoolId;
import java.util.Optional;

/** What shows {@code Updating} while a pool is written or deleted. Azure's way was not recorded. */
public enum UpdatingShown {
  /** The load balancer with everything in it. */
  SIBLINGS,
  /** The written pool alone. */
  WRITTEN;

  /** The name of the pool that alone shows a write; empty if everything does. */
  Optional<String> alone(ArmPath written) {
    return this == WRITTEN ? written.pool().map(PoolId::name) : Optional.empty();
  }
}
