package io.poolkeeper.model;

import java.util.List;

/** A load balancer as a listing shows it: its pools, each with the rules that send to it. */
public record LoadBalancerView(LoadBalancerId id, List<PoolView> pools) {
  public LoadBalancerView {
    pools = List.copyOf(pools);
  }
}
