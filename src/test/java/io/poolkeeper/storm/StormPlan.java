package io.poolkeeper.storm;

import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.turnstile.TokenBucket.Rate;
import io.poolkeeper.turnstile.TurnstileFixtures;
import io.poolkeeper.turnstile.TurnstileLimits;
import java.time.Duration;

/**
 * What a storm is made of.
 *
 * @param repeats how often a call is repeated inside the call after 408, 500, 502, 503 or 504
 */
record StormPlan(
    int pools,
    int balancers,
    TurnstileLimits turnstile,
    PoolLimits limits,
    Latency latency,
    int repeats,
    Weather weather) {

  /** As {@code arm.azure} ships it. */
  static final int SHIPPED_REPEATS = 3;

  /** As {@code reference.conf} ships it. */
  static final PoolLimits SHIPPED_POOL =
      new PoolLimits(Duration.ofSeconds(30), true, Duration.ofMillis(100), 3);

  /** How long ARM takes. */
  enum Latency {
    /** An ARM that answers at once, with the operation done. */
    NONE(Duration.ZERO, Duration.ZERO),
    /** A GET and a poll 0.1 s; a PUT 0.2 s, and then 3 to 6 s until its operation ends. */
    AZURE(Duration.ofMillis(100), Duration.ofMillis(200));

    private final Duration read;
    private final Duration write;

    Latency(Duration read, Duration write) {
      this.read = read;
      this.write = write;
    }

    Duration of(Weather.Call call) {
      return call.write() ? write : read;
    }

    /** From the answer to a PUT to the end of its operation. */
    Duration operation(double random) {
      return this == NONE ? Duration.ZERO : Duration.ofMillis(3_000 + (long) (3_000 * random));
    }
  }

  /** One load balancer per pool and an ARM that takes no time, as in simulations of jitter. */
  static StormPlan instant(int pools, TurnstileLimits turnstile, Weather weather) {
    return new StormPlan(
        pools, pools, turnstile, SHIPPED_POOL, Latency.NONE, SHIPPED_REPEATS, weather);
  }

  /** Ten load balancers, and the latency of Azure. */
  static StormPlan azure(int pools, TurnstileLimits turnstile, Weather weather) {
    return new StormPlan(
        pools, 10, turnstile, SHIPPED_POOL, Latency.AZURE, SHIPPED_REPEATS, weather);
  }

  StormPlan repeating(int times) {
    return new StormPlan(pools, balancers, turnstile, limits, latency, times, weather);
  }

  /** The shipped turnstile, but reads and writes alike come at a rate and begin with a burst. */
  static TurnstileLimits gate(int perSecond, int burst) {
    TurnstileLimits shipped = TurnstileFixtures.SHIPPED;
    Rate rate = new Rate(burst, perSecond * 1_000);
    return new TurnstileLimits(
        rate,
        burst,
        rate,
        0,
        rate,
        shipped.maxInFlight(),
        shipped.turnDeadline(),
        shipped.settleLimit(),
        shipped.budget(),
        shipped.depositAttempts());
  }
}
