package io.poolkeeper.service;

import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.pool.PoolEvent;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** What the map of Services asks its actor to do, in order. */
public sealed interface ServiceMapEffect {
  /** The effects for one pool's actor. */
  sealed interface ToPool extends ServiceMapEffect {
    PoolId pool();
  }

  /** Send a pool an event; its actor is made if there is none. */
  record Send(PoolId pool, PoolEvent event) implements ToPool {}

  /** The pool is unowned: stop its actor. */
  record Forget(PoolId pool) implements ToPool {}

  /** Ask the rate limiter to admit a listing of all load balancers. */
  record RequestListing(ListingCause cause) implements ServiceMapEffect {}

  /** Ask the rate limiter to admit a round of GETs. */
  record RequestVerification() implements ServiceMapEffect {}

  /** GET a few pools; it is {@code at} now. */
  record StartVerification(List<PoolId> pools, Instant at, Instant deadline)
      implements ServiceMapEffect {}

  /** Send the node watcher what is known of pools. */
  record ToNodes(NodeEvent event) implements ServiceMapEffect {}

  /** Send the bindings what a listing has shown of the pools that Services are bound to. */
  record ToBindings(BindingsEvent.Listed event) implements ServiceMapEffect {}

  record Emit(ObjectEvent event) implements ServiceMapEffect {}

  /** The cloud provider waits for the shared Lease to serve this Service, which exists. */
  record CloudProviderWaits(ServiceKey service, Instant since) implements ServiceMapEffect {}

  /**
   * List all load balancers; it is {@code at} now.
   *
   * @param without the groups that are left out, as their own retry comes later
   */
  record StartListing(Set<String> without, Instant at, Instant deadline)
      implements ServiceMapEffect {}
}
