package io.poolkeeper.model;

import java.util.List;
import java.util.Optional;

/**
 * A load balancer as a listing shows it: its pools, each with the rules that send to it.
 *
 * @param unreadable why its pools are unknown, and not shown; empty if they are known
 */
public record LoadBalancerView(
    LoadBalancerId id, List<PoolView> pools, Optional<ArmFailure> unreadable) {
  public LoadBalancerView {
    pools = List.copyOf(pools);
  }

  /** One that could be read. */
  public LoadBalancerView(LoadBalancerId id, List<PoolView> pools) {
    this(id, pools, Optional.empty());
  }
}
