package io.poolkeeper.arm;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import java.util.Optional;

/**
 * Asked twice for each try of a write: before a connection is sought for it, and when it has one,
 * at the last moment at which it can be withheld. By any thread, so it never blocks.
 */
@FunctionalInterface
public interface WriteFence {
  WriteFence OPEN = at -> Optional.empty();

  /** Why no try of a write to a pool of the load balancer may begin now; empty if it may. */
  Optional<ArmFailure> refusal(LoadBalancerId at);
}
