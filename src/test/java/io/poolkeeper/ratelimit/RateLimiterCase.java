package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import java.time.Instant;

/** A rate limiter, and what is said of it in most cases. */
abstract class RateLimiterCase {
  static final Instant T0 = RateLimiterDriver.T0;
  static final LoadBalancerId LB1 = RateLimiterDriver.LB1;
  static final Requester A = RateLimiterDriver.A;
  static final Requester B = RateLimiterDriver.B;
  static final Requester C = RateLimiterDriver.C;
  static final Requester E = RateLimiterDriver.E;
  static final Lane DRAIN = Lane.DRAIN;
  static final Lane UPDATE = Lane.UPDATE;
  static final Lane DRAIN_RETRY = Lane.DRAIN_RETRY;
  static final Lane RETRY = Lane.RETRY;
  static final Lane EARLY = Lane.EARLY;
  static final Lane REPAIR = Lane.REPAIR;
  static final TurnResult UNCHANGED = TurnResult.UNCHANGED;
  static final TurnResult FAILED = TurnResult.FAILED;
  static final TurnResult OTHER_WRITER = TurnResult.OTHER_WRITER;
  static final TurnResult UNRESOLVED = TurnResult.UNRESOLVED;
  static final VerificationResult SETTLED = VerificationResult.SETTLED;

  final RateLimiterDriver rateLimiter;

  RateLimiterCase() {
    this(RateLimiterDriver.wide());
  }

  RateLimiterCase(RateLimiterDriver rateLimiter) {
    this.rateLimiter = rateLimiter;
  }
}
