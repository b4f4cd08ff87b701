package io.poolkeeper.ratelimit;

import io.poolkeeper.model.TurnResult;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Turn;
import io.poolkeeper.retry.RetryBudget;
import java.time.Instant;

/**
 * What turns spend: tokens of the subscription and the retry budget (architecture, The rate
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
    return write
        ? new Quota(writes.sent(), early, reads, budget)
        : new Quota(writes, early, reads.minus(1), budget);
  }

  /**
   * A turn is granted. It pays in advance for its lane's own tokens and budget.
   *
   * @param depositAttempts whether an attempt that is no retry deposits
   */
  Quota granted(Lane lane, Instant now, boolean depositAttempts) {
    TokenBucket left = lane == Lane.EARLY ? early.minus(1) : early;
    if (lane.costsBudget()) {
      return new Quota(writes, left, reads, budget.withdraw(now));
    }
    return new Quota(writes, left, reads, depositAttempts ? budget.deposit(now) : budget);
  }

  /**
   * A turn was given back.
   *
   * @param depositWrites whether a confirmed write deposits; a read proves no room for writes
   */
  Quota returned(Turn turn, TurnResult result, Instant now, boolean depositWrites) {
    Quota ended = result.wrote() ? ended(turn) : unused(turn, result, now);
    return depositWrites && result == TurnResult.SUCCEEDED
        ? new Quota(ended.writes, ended.early, ended.reads, ended.budget.deposit(now))
        : ended;
  }

  /**
   * A turn ended in which a write was or may have been sent. The reserve pays for a drain as far as
   * it can, so that failing drains are bounded.
   */
  private Quota ended(Turn turn) {
    return switch (turn.lane()) {
      case DRAIN, DRAIN_RETRY -> new Quota(writes.paidByReserve(), early, reads, budget);
      case EARLY -> new Quota(writes.afterEarly(), early, reads, budget);
      case UPDATE, RETRY, REPAIR -> this;
    };
  }

  /** No write was sent: tokens of the reserve and early ones bound writes only. */
  private Quota unused(Turn turn, TurnResult result, Instant now) {
    boolean wasEarly = turn.lane() == Lane.EARLY;
    return new Quota(
        wasEarly ? writes.afterEarly() : writes,
        wasEarly ? early.refunded() : early,
        reads,
        turn.lane().costsBudget() && !result.costsRetry()
            ? budget.refund(turn.since(), now)
            : budget);
  }
}
