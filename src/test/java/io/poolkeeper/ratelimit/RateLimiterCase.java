package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import java.time.Instant;

/** A rate limiter, and what is said of it in most cases. */
abstract class RateLimiterCase {
  static final Instant T0 = RateLimiterDriver.T0;
  static final LoadBalancerId LB1 = RateLimiterDriver.LB1;
  static final Requester A = RateLimiterDriver.A;
  static final Requester B = RateLimiterDriver.B;
  static final Requester C = RateLimiterDriver.C;
  static final Requester E = RateLimiterDriver.E;
  static final PriorityLevel DRAIN = PriorityLevel.DRAIN;
  static final PriorityLevel UPDATE = PriorityLevel.UPDATE;
  static final PriorityLevel DRAIN_RETRY = PriorityLevel.DRAIN_RETRY;
  static final PriorityLevel RETRY = PriorityLevel.RETRY;
  static final PriorityLevel EARLY = PriorityLevel.EARLY;
  static final PriorityLevel REPAIR = PriorityLevel.REPAIR;
  static final PermitResult UNCHANGED = PermitResult.UNCHANGED;
  static final PermitResult FAILED = PermitResult.FAILED;
  static final PermitResult OTHER_WRITER = PermitResult.OTHER_WRITER;
  static final PermitResult UNRESOLVED = PermitResult.UNRESOLVED;
  static final VerificationResult SETTLED = VerificationResult.SETTLED;

  final RateLimiterDriver rateLimiter;

  RateLimiterCase() {
    this(RateLimiterDriver.wide());
  }

  RateLimiterCase(RateLimiterDriver rateLimiter) {
    this.rateLimiter = rateLimiter;
  }
}
