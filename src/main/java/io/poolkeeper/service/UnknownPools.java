package io.poolkeeper.service;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import java.util.Set;

/**
 * A load balancer that is there, but cannot be read, so that its pools are unknown.
 *
 * @param used whether Poolkeeper manages it, or a binding names a pool of it
 * @param kept its pools as far as an earlier listing has shown them; they are not touched
 */
public record UnknownPools(ArmFailure why, boolean used, Set<PoolId> kept) {
  public UnknownPools {
    kept = Set.copyOf(kept);
  }
}
