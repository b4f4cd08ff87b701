package io.poolkeeper.arm;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import java.util.Optional;

/**
 * Withholds tries of writes. The fence is asked twice for each try: before a connection is sought,
 * and when the try has it, at the last moment. Any thread asks, so the fence never blocks.
 */
@FunctionalInterface
public interface WriteFence {
  WriteFence OPEN = loadBalancer -> Optional.empty();

  /** Why no try of a write to a pool of the load balancer may begin now; empty if it may. */
  Optional<ArmFailure> refusal(LoadBalancerId loadBalancer);
}
