package io.poolkeeper.ratelimit;

import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.ratelimit.TokenBucket.Rate;
import io.poolkeeper.retry.RetryBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/** Limits for tests. */
public final class RateLimiterFixtures {
  /** The policy leaves nothing to chance. */
  static final RandomGenerator RANDOM =
      () -> {
        throw new AssertionError("the rate limiter asked for a random number");
      };

  /** So wide that only permits matter. */
  public static final RateLimiterLimits WIDE =
      new RateLimiterLimits(
          new Rate(100_000, 1_000_000),
          100_000,
          new Rate(100_000, 1_000_000),
          100_000,
          new Rate(100_000, 1_000_000),
          new RateLimiterLimits.Early(new Rate(100_000, 1_000_000), 100_000, 1_000),
          1_000,
          Duration.ofMinutes(10),
          Duration.ofMinutes(5),
          new RateLimiterLimits.Pauses(Duration.ofSeconds(2), Duration.ofSeconds(30)),
          new RetryBudget.Limits(1_000, Duration.ofSeconds(60), 16_000, 100),
          false);

  /** As shipped. */
  public static final RateLimiterLimits SHIPPED =
      new RateLimiterLimits(
          new Rate(150, 1_500),
          50,
          new Rate(200, 1_500),
          50,
          new Rate(200, 15_000),
          new RateLimiterLimits.Early(new Rate(75, 500), 50, 200),
          16,
          Duration.ofSeconds(60),
          Duration.ofMinutes(5),
          new RateLimiterLimits.Pauses(Duration.ofSeconds(2), Duration.ofSeconds(30)),
          new RetryBudget.Limits(20, Duration.ofSeconds(10), 500, 100),
          false);

  /**
   * Tokens in thousandths per second: a write, 1 per 1,000 s; a read, 1 per second. The budget has
   * a reserve of 2 retries per 10 s and gains half a retry by a success.
   */
  static RateLimiterLimits limits(
      int writes,
      int reserve,
      int reads,
      int inFlight,
      RetryBudget.Limits budget,
      boolean attempts) {
    return new RateLimiterLimits(
        new Rate(100_000, 1),
        writes,
        new Rate(100_000, 1),
        reserve,
        new Rate(reads, 1_000),
        SHIPPED.early(),
        inFlight,
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        SHIPPED.pauses(),
        budget,
        attempts);
  }

  /** Nobody looks. */
  public static final RateLimiterObserver UNSEEN =
      new RateLimiterObserver() {
        @Override
        public void changed(RateLimiterView view) {}

        @Override
        public void ran(RateLimiterEffect effect) {}

        @Override
        public void verified(VerificationResult result) {}
      };

  /** Nothing writes to any pool. */
  public static CompletionStage<PoolDocument> quiet(PoolId pool, Instant deadline) {
    return CompletableFuture.completedFuture(
        () -> new PoolView(pool, "", false, List.of(), Set.of()));
  }

  private RateLimiterFixtures() {}
}
