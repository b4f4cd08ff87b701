package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolEvent;

/** What the map of Services asks its actor to do, in order. */
public sealed interface ServiceMapEffect {
  /** Those that concern one pool's actor. */
  sealed interface ToPool extends ServiceMapEffect {
    PoolId pool();
  }

  /** Send a pool an event; its actor is made if there is none. */
  record Send(PoolId pool, PoolEvent event) implements ToPool {}

  /** The pool is unowned: stop its actor. */
  record Forget(PoolId pool) implements ToPool {}

  /** Ask the turnstile to admit a listing of all load balancers. */
  record RequestListing(ListingCause cause) implements ServiceMapEffect {}

  /** List all load balancers. */
  record StartListing() implements ServiceMapEffect {}
}
