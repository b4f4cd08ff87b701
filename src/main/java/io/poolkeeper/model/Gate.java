package io.poolkeeper.model;

import java.util.Optional;

/**
 * The calls that ARM throttles together: while a gate is closed, ARM takes none of them.
 *
 * @param loadBalancer the only one concerned; empty for the whole subscription
 * @param write whether calls that write are concerned, or calls that read
 */
public record Gate(Optional<LoadBalancerId> loadBalancer, boolean write) {
  public static Gate subscription(boolean write) {
    return new Gate(Optional.empty(), write);
  }

  /** The gate for all permits of a load balancer, as every permit may write. */
  public static Gate permits(LoadBalancerId id) {
    return new Gate(Optional.of(id), true);
  }
}
