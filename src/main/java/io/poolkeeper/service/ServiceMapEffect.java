package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.Level;
import java.time.Instant;

/** What the map of Services asks its actor to do, in order. */
sealed interface ServiceMapEffect {
  /** Those that concern one pool's actor. */
  sealed interface ToPool extends ServiceMapEffect {
    PoolId pool();
  }

  /** Tell a pool what a Service wants of it; the pool's actor is made if there is none. */
  record Desire(PoolId pool, Assignment assignment, Level level) implements ToPool {}

  /** Tell a pool that the Service is not its owner any more. */
  record Release(PoolId pool, ServiceKey service) implements ToPool {}

  /** Show a pool what the listing said; the pool's actor is made if there is none. */
  record Show(PoolId pool, PoolView view, Instant startedAt) implements ToPool {}

  /** Tell a dirty pool that another one turned clean. */
  record TellOtherRecovered(PoolId pool) implements ToPool {}

  /** The pool is nobody's: stop its actor. */
  record Forget(PoolId pool) implements ToPool {}

  /** List all load balancers. */
  record StartListing() implements ServiceMapEffect {}
}
