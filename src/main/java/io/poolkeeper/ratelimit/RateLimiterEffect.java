package io.poolkeeper.ratelimit;

import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;

/** What the rate limiter asks its actor to do. */
public sealed interface RateLimiterEffect {
  /**
   * The permit is the requester's.
   *
   * @param waited how long the requester has waited
   * @param limited the last part of the wait, in which the load balancer was free and only limits
   *     of the subscription held the request (gates, tokens, permits in flight, retry budget)
   * @param rateLimited whether a gate or an empty bucket held the request at any time
   */
  record Grant(
      Requester requester,
      PermitAnswer.Granted answer,
      PriorityLevel level,
      Duration waited,
      Duration limited,
      boolean rateLimited)
      implements RateLimiterEffect {}

  /** The session of the Lease is over: the holder of the permit begins no write. */
  record Recall(Requester requester, PermitAnswer.Recalled answer) implements RateLimiterEffect {}

  /**
   * No write begins at the load balancer after that time, unless a later permit allows it. The
   * limit is in force before any other part of the program acts on this decision.
   */
  record WritesUntil(LoadBalancerId loadBalancer, Instant until) implements RateLimiterEffect {}

  /** A permit goes without the shared Lease, which could not be had for too long. */
  record LeaseBypassed(PoolId pool) implements RateLimiterEffect {}

  record DemandLease(LeaseDemand demand) implements RateLimiterEffect {}

  /** GET the pool, and say what it showed; no answer by the deadline is a failure. */
  record Verify(PoolId pool, long verification, Instant deadline) implements RateLimiterEffect {}

  record GrantRead(Reader reader) implements RateLimiterEffect {}

  /** A permit was not given back in time; what its holder does with it no longer counts. */
  record PermitLost(Requester requester, long permit) implements RateLimiterEffect {}

  /** Somebody waits for nothing but the retry budget, for the first time since it let one pass. */
  record RetryHeldBack() implements RateLimiterEffect {}

  /** Something has begun or ended that people want to read in the log. */
  sealed interface Transition extends RateLimiterEffect {}

  /** ARM accepts no calls; reported once, however often the gate is extended. */
  record GateClosed(Gate gate, Instant until) implements Transition {}

  record GateOpened(Gate gate) implements Transition {}

  /** The end of a write is not known: permits wait until then at most, and the pool is verified. */
  record UnresolvedWriteBegun(PoolId pool, Instant until) implements Transition {}

  /** The pause between verifications has reached its maximum. */
  record UnresolvedWriteSlowest(LoadBalancerId loadBalancer, Duration pause)
      implements Transition {}

  /** The write ended, or the wait for its end was too long. */
  record UnresolvedWriteEnded(LoadBalancerId loadBalancer) implements Transition {}

  /** A request waits for the retry budget alone. */
  record BudgetEmptied() implements Transition {}

  /** No request waits for the retry budget any more. */
  record BudgetRefilled() implements Transition {}
}
