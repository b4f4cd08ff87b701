package io.poolkeeper.lab.judge;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which changes ARM made wait: those of a pool of which it refused a call or let a write go wrong
 * meanwhile, and those that fell into the time for which it refused calls of the subscription, or
 * of their load balancer if it was a lock.
 */
public record ArmWaits(List<ArmRequest> requests) {
  public ArmWaits {
    requests = requests.stream().filter(one -> one.retriable() || one.throttled()).toList();
  }

  /** Whether one of these held up a change of a pool between two monotonic times. */
  public boolean delayed(PoolId pool, long fromNanos, long toNanos) {
    return requests.stream()
        .filter(one -> one.arrivedNanos() <= toNanos && until(one) >= fromNanos)
        .anyMatch(one -> one.pool().equals(Optional.of(pool)) || closes(one, pool.loadBalancer()));
  }

  /** The latest monotonic time until which ARM has refused calls; empty if it has not. */
  public OptionalLong opensNanos() {
    return requests.stream().mapToLong(ArmWaits::until).max();
  }

  private static long until(ArmRequest refused) {
    return refused.arrivedNanos() + refused.advice().orElse(Duration.ZERO).toNanos();
  }

  private static boolean closes(ArmRequest one, LoadBalancerId loadBalancer) {
    return one.throttled()
        && (!one.locked() || one.pool().orElseThrow().loadBalancer().equals(loadBalancer));
  }
}
