package io.poolkeeper.ratelimit;

import io.poolkeeper.model.PoolId;

/**
 * The port through which status and metrics hear of the rate limiter. Never blocks, never fails.
 */
public interface RateLimiterObserver {
  void changed(RateLimiterView view);

  /** The actor runs an effect now. */
  void ran(RateLimiterEffect effect);

  /** A pool has asked for a permit, and may have it by now. */
  default void requested(PoolId pool, RateLimiterView view) {}

  /** The rate limiter has verified a pool whose last write has an unknown end. */
  void verified(VerificationResult result);
}
