package io.poolkeeper.ratelimit;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import java.time.Instant;
import java.util.Optional;

/** What can happen at the rate limiter. */
public sealed interface RateLimiterEvent {
  /** A requester may request permits from now on, as its end will be noticed. */
  record Registered(Requester requester) implements RateLimiterEvent {}

  /**
   * A requester wants a permit. Asked again with another priority, it keeps its ticket. Without an
   * effect unless it is registered.
   */
  record Requested(Requester requester, Priority priority) implements RateLimiterEvent {}

  record Cancelled(Requester requester) implements RateLimiterEvent {}

  record Returned(Requester requester, long permit, PermitResult result)
      implements RateLimiterEvent {}

  /** The requester's actor ended, with or without a permit. */
  record HolderGone(Requester requester) implements RateLimiterEvent {}

  record Verified(long verification, VerificationResult result) implements RateLimiterEvent {}

  /** A reader wants to make its one call. */
  record ReadRequested(Reader reader) implements RateLimiterEvent {}

  /** A call was sent to ARM, whatever came of it. */
  record Sent(boolean write) implements RateLimiterEvent {}

  /**
   * ARM takes no calls until then; not in the future if ARM did not say until when.
   *
   * @param loadBalancer the only one concerned; empty for the whole subscription
   */
  record Throttled(Optional<LoadBalancerId> loadBalancer, boolean write, Instant until)
      implements RateLimiterEvent {}

  /** A write to a pool of the load balancer is sent, for the first time or again. */
  record Writes(LoadBalancerId loadBalancer) implements RateLimiterEvent {}

  /** ARM has accepted a write to a pool of the load balancer, and may work on it. */
  record Accepted(LoadBalancerId loadBalancer) implements RateLimiterEvent {}

  /** Permits need the shared Lease from now on, which is not held yet. */
  record LeaseNeeded(LeaseTerms terms) implements RateLimiterEvent {}

  record LeaseStands(LeaseStanding standing) implements RateLimiterEvent {}

  record TimerDue() implements RateLimiterEvent {}
}
