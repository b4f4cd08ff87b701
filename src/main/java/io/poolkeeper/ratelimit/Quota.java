package io.poolkeeper.ratelimit;

import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Permit;
import io.poolkeeper.retry.RetryBudget;
import java.time.Instant;

/**
 * What permits spend: tokens of the subscription and the retry budget (architecture, The rate
 * limiter). Immutable.
 *
 * @param early tokens that early writes need besides an ordinary write token
 */
public record Quota(WriteTokens writes, TokenBucket early, TokenBucket reads, RetryBudget budget) {
  static Quota initial(RateLimiterLimits limits, Instant now) {
    return new Quota(
        new WriteTokens(
            TokenBucket.holding(limits.writes(), limits.initialWrites(), now),
            TokenBucket.holding(limits.reserve(), limits.initialReserve(), now),
            Instant.EPOCH),
        TokenBucket.holding(limits.early().tokens(), limits.early().initial(), now),
        TokenBucket.holding(limits.reads(), limits.reads().burst(), now),
        RetryBudget.of(limits.budget(), now));
  }

  Quota at(Instant now) {
    return new Quota(writes.at(now), early.at(now).bucket(), reads.at(now).bucket(), budget);
  }

  Quota sent(boolean write) {
    return write ? with(writes.sent()) : new Quota(writes, early, reads.minus(1), budget);
  }

  private Quota with(WriteTokens next) {
    return new Quota(next, early, reads, budget);
  }

  private Quota with(RetryBudget next) {
    return new Quota(writes, early, reads, next);
  }

  /**
   * A permit is granted. It pays in advance for its priority level's own tokens and budget.
   *
   * @param depositAttempts whether an attempt that is no retry deposits
   */
  Quota granted(PriorityLevel level, Instant now, boolean depositAttempts) {
    if (level.costsBudget()) {
      return with(budget.withdraw(now));
    }
    TokenBucket left = level == PriorityLevel.EARLY ? early.minus(1) : early;
    return new Quota(writes, left, reads, depositAttempts ? budget.deposit(now) : budget);
  }

  /**
   * A permit was given back.
   *
   * @param depositWrites whether a confirmed write deposits; a read proves no room for writes
   */
  Quota returned(Permit permit, PermitResult result, Instant now, boolean depositWrites) {
    Quota ended = result.wrote() ? ended(permit) : unused(permit, result, now);
    return depositWrites && result == PermitResult.SUCCEEDED
        ? ended.with(ended.budget.deposit(now))
        : ended;
  }

  /**
   * A permit ended in which a write was or may have been sent. The reserve pays for a drain as far
   * as it can, so that failing drains are bounded.
   */
  private Quota ended(Permit permit) {
    return switch (permit.level()) {
      case DRAIN, DRAIN_RETRY -> with(writes.paidByReserve());
      case EARLY -> with(writes.afterEarly());
      case UPDATE, RETRY, REPAIR -> this;
    };
  }

  /** No write was sent: tokens of the reserve and early ones bound writes only. */
  private Quota unused(Permit permit, PermitResult result, Instant now) {
    boolean wasEarly = permit.level() == PriorityLevel.EARLY;
    return new Quota(
        wasEarly ? writes.afterEarly() : writes,
        wasEarly ? early.refunded() : early,
        reads,
        permit.level().costsBudget() && !result.costsRetry()
            ? budget.refund(permit.since(), now)
            : budget);
  }
}
