package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;

/** One incarnation of a pool's actor: a pool that was stopped and begun again is another one. */
public record Requester(PoolId pool, long incarnation) {
  LoadBalancerId loadBalancer() {
    return pool.loadBalancer();
  }
}
