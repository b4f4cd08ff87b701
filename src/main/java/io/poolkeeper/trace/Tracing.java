package io.poolkeeper.trace;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.RateLimiterView;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The port through which traces hear of pools, permits and nodes. Never blocks, never fails. Calls
 * about one pool come on the thread of its actor, except calls about its permit.
 */
public interface Tracing {
  /** The key of a trace's id for lines of the log. */
  String LOG_KEY = "trace_id";

  /** Traces nothing, and costs nothing. */
  Tracing OFF = new Tracing() {};

  /** Runs a decision of a pool: its calls and its lines of the log belong to the pool's trace. */
  default void around(PoolId pool, Runnable decision) {
    decision.run();
  }

  default void ran(PoolId pool, PoolEffect effect) {}

  default void changed(PoolStatus status) {}

  default void forgotten(PoolId pool) {}

  /** A pool waits for a permit from now on, in this state of the rate limiter. */
  default void requested(PoolId pool, RateLimiterView view) {}

  default void ran(NodeEffect effect) {}

  /** Begins a listing, which is a trace of its own. */
  default CompletionStage<Listing> listing(Supplier<CompletionStage<Listing>> begin) {
    return begin.get();
  }

  /** The id of the trace that follows the pool now; empty if none does. */
  default Optional<String> id(PoolId pool) {
    return Optional.empty();
  }

  /** Sends what is not sent yet, for a few seconds at most. */
  default void close() {}
}
