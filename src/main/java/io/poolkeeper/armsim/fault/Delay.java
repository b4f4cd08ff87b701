package io.poolkeeper.armsim.fault;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** An additional latency of a request: milliseconds, at most {@link #MAX_MILLIS}. */
public sealed interface Delay {
  /** Ten minutes; longer draws are cut to it. */
  long MAX_MILLIS = 600_000;

  record Fixed(long millis) implements Delay {}

  /** Any time between two bounds, both included. */
  record Uniform(long minMillis, long maxMillis) implements Delay {}

  record LogNormal(long medianMillis, long p99Millis) implements Delay {}

  record Exponential(long meanMillis) implements Delay {}

  /** The next delay; a fixed one draws nothing. */
  default Duration draw(RandomGenerator random) {
    double millis =
        switch (this) {
          case Fixed fixed -> fixed.millis();
          case Uniform uniform -> random.nextLong(uniform.minMillis(), uniform.maxMillis() + 1);
          case LogNormal normal -> logNormal(normal, random);
          case Exponential exponential -> exponential.meanMillis() * random.nextExponential();
        };
    return Duration.ofMillis((long) Math.clamp(millis, 0, MAX_MILLIS));
  }

  private static double logNormal(LogNormal delay, RandomGenerator random) {
    double normalAt99 = 2.3263478740408408;
    double sigma = Math.log((double) delay.p99Millis() / delay.medianMillis()) / normalAt99;
    return delay.medianMillis() * Math.exp(sigma * random.nextGaussian());
  }
}
