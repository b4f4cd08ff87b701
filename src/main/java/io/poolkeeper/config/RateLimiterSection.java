package io.poolkeeper.config;

import static java.util.Map.entry;

import io.poolkeeper.model.Range;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.ratelimit.RateLimiterLimits;
import io.poolkeeper.ratelimit.TokenBucket.Rate;
import io.poolkeeper.retry.RetryBudget;
import java.util.List;

/** Reads the section {@code turnstile} and checks the rules between its keys. */
record RateLimiterSection(Values values) {
  /** Reads the limits; the pauses of gates are the spacings of a pool. */
  RateLimiterLimits read(PoolLimits pools) {
    int burst = burst("writes");
    int reserve = burst("writes.drain-reserve");
    int rate = rate("writes");
    return new RateLimiterLimits(
        new Rate(burst, rate),
        initial("writes", burst),
        new Rate(reserve, rate),
        initial("writes.drain-reserve", reserve),
        reads(),
        early(),
        values.integer("turnstile.max-in-flight", RateLimiterLimits.MAX_IN_FLIGHT),
        values.duration("turnstile.turn-deadline", RateLimiterLimits.PERMIT_DEADLINE),
        values.duration("turnstile.settle-limit", RateLimiterLimits.SETTLE_LIMIT),
        new RateLimiterLimits.Pauses(pools.minInterval(), pools.interval()),
        budget(),
        values.oneOf(
            "turnstile.retry-budget.deposit",
            List.of(entry("success", false), entry("attempt", true)),
            false));
  }

  private Rate reads() {
    int rate = rate("reads");
    return new Rate(burst("reads"), rate);
  }

  private RateLimiterLimits.Early early() {
    int burst = burst("early");
    return new RateLimiterLimits.Early(
        new Rate(burst, rate("early")),
        initial("early", burst),
        values.thousandths("turnstile.early.share", RateLimiterLimits.Early.SHARE));
  }

  private RetryBudget.Limits budget() {
    var key = "turnstile.retry-budget.";
    return new RetryBudget.Limits(
        values.integer(key + "cap", RetryBudget.Limits.CAP),
        values.duration(key + "ttl", RetryBudget.Limits.TTL),
        values.thousandths(key + "min-per-second", RetryBudget.Limits.PER_SECOND),
        values.integer(key + "percent", RetryBudget.Limits.PERCENT));
  }

  private int burst(String bucket) {
    return values.integer("turnstile." + bucket + ".burst", Rate.BURST);
  }

  private int rate(String bucket) {
    return values.thousandths("turnstile." + bucket + ".rate", Rate.MILLI_PER_SECOND);
  }

  /**
   * Lowering the burst below a default initial value is an error that names both. An azure.json,
   * which knows no initial value, cuts it.
   */
  private int initial(String bucket, int burst) {
    var key = "turnstile." + bucket + ".initial";
    var burstKey = "turnstile." + bucket + ".burst";
    if (RateLimits.setsBurst(values, burstKey)) {
      return values.atMost(key, Rate.BURST.max(), burst, burstKey);
    }
    var maxInWords = "%d, the value of %s".formatted(burst, burstKey);
    return values.integer(key, new Range<>(0, burst), maxInWords);
  }
}
