package io.poolkeeper.service;

import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A Service that wants a pool of its own, and has none that Poolkeeper manages.
 *
 * @param since when this leader first saw that; monotonic
 * @param at the load balancer that has the pool, but is not managed; empty if no listing shows the
 *     pool, which may come yet
 */
public record MissingPool(Instant since, Optional<LoadBalancerId> at) {
  /** The cloud provider has made the pool before it gives a Service its address. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Whether it is missing for certain.
   *
   * @param complete whether the last listing would show it
   */
  boolean certain(boolean complete, Instant now) {
    return at.isPresent() || (complete && !now.isBefore(since.plus(PATIENCE)));
  }
}
