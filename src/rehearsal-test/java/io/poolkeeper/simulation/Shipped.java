package io.poolkeeper.simulation;

import io.poolkeeper.ratelimit.RateLimiterLimits;
import io.poolkeeper.ratelimit.TokenBucket.Rate;
import io.poolkeeper.simulation.SimOptions.Outage;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Worlds with shipped settings and no faults but an outage. */
final class Shipped {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private Shipped() {}

  /** Many pools on ten load balancers, and an outage when all have to be written. */
  static SimOptions storm(int pools, Outage outage) {
    return options(10, pools, SECOND.multipliedBy(2), true, outage);
  }

  /** A few pools on one load balancer, and an outage that is over when it begins. */
  static SimOptions flapping(int pools, Duration minInterval) {
    Outage none = new Outage(Duration.ZERO, 503, Optional.empty());
    return options(1, pools, minInterval, false, none);
  }

  private static SimOptions options(
      int loadBalancers, int pools, Duration minInterval, boolean lease, Outage outage) {
    SimOptions.Sharing sharing = SimOptions.UNSHARED;
    RateLimiterLimits rateLimiter = SimOptions.SMALL.rateLimiter();
    Duration interval = SECOND.multipliedBy(30);
    Duration window = Duration.ofMillis(100);
    return new SimOptions(
        new SimOptions.Size(loadBalancers, pools, 20, Duration.ofHours(1)),
        SimOptions.SMALL.nodes(),
        SimOptions.pools(
            interval,
            minInterval,
            SECOND.multipliedBy(35),
            true,
            window,
            3,
            Duration.ofMinutes(10)),
        new RateLimiterLimits(
            new Rate(150, 1_500),
            50,
            new Rate(200, 1_500),
            50,
            rateLimiter.reads(),
            rateLimiter.early(),
            16,
            rateLimiter.permitDeadline(),
            Duration.ofMinutes(5),
            new RateLimiterLimits.Pauses(
                minInterval.compareTo(interval) < 0 ? minInterval : interval, interval),
            rateLimiter.budget(),
            false),
        SimOptions.SMALL.maxRetryAfter(),
        new SimOptions.Sharing(
            lease, sharing.maxTail(), sharing.yield(), sharing.unreachableAfter(), false),
        new SimOptions.Failures(Set.of(), window, 0, 0, Optional.of(outage)),
        Optional.empty());
  }
}
