package io.poolkeeper.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Everything that is left to chance in one run, from one seed. It counts what is drawn: two runs of
 * one seed that draw differently often are not the same run.
 */
final class Chance implements RandomGenerator {
  private final RandomGenerator source;
  private long draws;

  Chance(long seed) {
    this.source = new SplittableRandom(seed);
  }

  /** Each name has a stream of its own, which draws of other names do not change. */
  static Chance of(long seed, String name) {
    return new Chance(new SplittableRandom(seed ^ ((long) name.hashCode() << 32)).nextLong());
  }

  @Override
  public long nextLong() {
    draws++;
    return source.nextLong();
  }

  long draws() {
    return draws;
  }

  boolean happens(double probability) {
    return probability > 0 && nextDouble() < probability;
  }

  <T> T pick(List<T> all) {
    return all.get(nextInt(all.size()));
  }

  /** Between two positive times, each order of magnitude as likely as any other. */
  Duration between(Duration least, Duration most) {
    if (!least.isPositive()) {
      throw new IllegalArgumentException("no order of magnitude: " + least);
    }
    double low = Math.log((double) least.toNanos());
    double high = Math.log((double) most.toNanos());
    return Duration.ofNanos((long) Math.exp(low + (high - low) * nextDouble()));
  }

  /** The time to the next event, if events come at random with this mean between two. */
  Duration around(Duration mean) {
    double factor = -Math.log(1 - nextDouble());
    return Duration.ofNanos((long) (mean.toNanos() * Math.min(factor, 10)) + 1);
  }
}
