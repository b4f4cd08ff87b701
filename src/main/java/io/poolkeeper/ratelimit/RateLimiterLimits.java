package io.poolkeeper.ratelimit;

import io.poolkeeper.model.Range;
import io.poolkeeper.ratelimit.TokenBucket.Rate;
import io.poolkeeper.retry.RetryBudget;
import java.time.Duration;
import java.util.Optional;

/**
 * The bounds of the rate limiter of one subscription.
 *
 * @param writes tokens for everybody
 * @param initialWrites how many of them there are at the start, so that a crash loop stays below
 *     ARM's limits
 * @param reserve write tokens for drains alone; filled by what does not fit into {@code writes}, so
 *     that its own rate is never used
 * @param initialReserve how many tokens the reserve has at the start
 * @param early the limits of writes that go sooner than an interval after the pool's last write
 * @param maxInFlight permits out at once
 * @param permitDeadline after this a permit is taken for lost
 * @param settleLimit how long an unresolved write keeps its load balancer from granting permits
 * @param pauses how long a 429 without a time closes a gate
 * @param depositAttempts whether the budget grows by attempts instead of by successes
 */
public record RateLimiterLimits(
    Rate writes,
    int initialWrites,
    Rate reserve,
    int initialReserve,
    Rate reads,
    Early early,
    int maxInFlight,
    Duration permitDeadline,
    Duration settleLimit,
    Pauses pauses,
    RetryBudget.Limits budget,
    boolean depositAttempts) {
  public static final Range<Integer> MAX_IN_FLIGHT = new Range<>(1, 1_000);
  public static final Range<Duration> PERMIT_DEADLINE =
      new Range<>(Duration.ofSeconds(1), Duration.ofMinutes(10));
  public static final Range<Duration> SETTLE_LIMIT =
      new Range<>(Duration.ofSeconds(1), Duration.ofHours(1));

  /**
   * A priority level that was passed over so often in a row is starved and goes before all but
   * drains. Three other priority levels may be starved as well, so no priority level is passed over
   * more than 11 times.
   */
  static final int MOST_PASSED_OVER = 8;

  /** How many later drains of a load balancer may have the permit before a waiting one. */
  static final int MOST_DRAINS_PASSED_OVER = 4;

  /** The namespaces of a priority level whose last permits are remembered. */
  static final int MOST_NAMESPACES = 1_000;

  /** The time limit of a verification of a pool: a hanging one keeps others waiting. */
  public static final Duration VERIFICATION = Duration.ofSeconds(10);

  /** The first pause between verifications at a pool with an unresolved write; it doubles. */
  static final Duration FIRST_VERIFICATION = Duration.ofSeconds(1);

  static final Duration LAST_VERIFICATION = Duration.ofSeconds(30);

  /**
   * How long a load balancer grants no early permit after another client was seen to write there.
   */
  static final Duration OTHER_WRITER_QUIET = Duration.ofSeconds(30);

  /**
   * The limits of early writes. The cloud provider writes to the same load balancers, and backs off
   * for minutes when it loses.
   *
   * @param initial how many tokens there are at the start
   * @param share thousandths of a load balancer's time that early permits may take
   */
  public record Early(Rate tokens, int initial, int share) {
    public static final Range<Integer> SHARE = new Range<>(1, 1_000);

    public Early {
      new Range<>(0, tokens.burst()).check("initial early tokens", initial);
      SHARE.check("share of early permits", share);
    }

    /** How long the next early permit waits at a load balancer after one of that length. */
    Duration pause(Duration permit) {
      return permit.multipliedBy(SHARE.max() - share).dividedBy(share);
    }
  }

  /**
   * How long a gate is closed by a 429 that does not say for how long: {@code first}, and twice as
   * long each further time, up to {@code longest}.
   */
  public record Pauses(Duration first, Duration longest) {
    public Pauses {
      new Range<>(Duration.ofNanos(1), longest).check("first pause", first);
      new Range<>(first, SETTLE_LIMIT.max()).check("longest pause", longest);
    }

    /** The pause after one of that length; the first without one. */
    Duration next(Optional<Duration> before) {
      Duration twice = before.map(last -> last.multipliedBy(2)).orElse(first);
      return twice.compareTo(longest) > 0 ? longest : twice;
    }
  }

  public RateLimiterLimits {
    MAX_IN_FLIGHT.check("max in flight", maxInFlight);
    PERMIT_DEADLINE.check("turn deadline", permitDeadline);
    SETTLE_LIMIT.check("settle limit", settleLimit);
    new Range<>(0, writes.burst()).check("initial writes", initialWrites);
    new Range<>(0, reserve.burst()).check("initial reserve", initialReserve);
  }
}
