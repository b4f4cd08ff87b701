package io.poolkeeper.ratelimit;

import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A write that may still be running: one of ours whose end is not known, or another client's (ADR
 * 14). Its load balancer grants no permit meanwhile, and so has one such write at most. The rate
 * limiter verifies the pool until the write has ended.
 *
 * @param until when permits are granted all the same: then ARM decides
 * @param pause from the last verification to the next
 * @param next time of a verification
 * @param verification the number of the verification in flight
 */
public record UnresolvedWrite(
    PoolId pool, Instant until, Duration pause, Instant next, Optional<Long> verification) {
  static UnresolvedWrite begin(PoolId pool, Instant now, Duration limit) {
    Duration first = RateLimiterLimits.FIRST_VERIFICATION;
    return new UnresolvedWrite(pool, now.plus(limit), first, now.plus(first), Optional.empty());
  }

  UnresolvedWrite verifying(long number) {
    return new UnresolvedWrite(pool, until, pause, next, Optional.of(number));
  }

  /** The verification showed no end of the write. The pause doubles. */
  UnresolvedWrite again(Instant now) {
    Duration twice = pause.multipliedBy(2);
    boolean tooLong = twice.compareTo(RateLimiterLimits.LAST_VERIFICATION) > 0;
    Duration longer = tooLong ? RateLimiterLimits.LAST_VERIFICATION : twice;
    return new UnresolvedWrite(pool, until, longer, now.plus(longer), Optional.empty());
  }

  /** Whether the pause has reached its maximum. */
  private boolean slowest() {
    return pause.equals(RateLimiterLimits.LAST_VERIFICATION);
  }

  /** The begin or end of an unresolved write, for the log. */
  static Optional<RateLimiterEffect> transition(
      Optional<UnresolvedWrite> before, LoadBalancerQueue after) {
    Optional<UnresolvedWrite> next = after.unresolved();
    if (before.isEmpty()) {
      return next.map(
          begun -> new RateLimiterEffect.UnresolvedWriteBegun(begun.pool(), begun.until()));
    }
    if (next.isEmpty()) {
      return Optional.of(new RateLimiterEffect.UnresolvedWriteEnded(after.id()));
    }
    return next.filter(write -> write.slowest() && !before.get().slowest())
        .map(write -> new RateLimiterEffect.UnresolvedWriteSlowest(after.id(), write.pause()));
  }
}
