package io.poolkeeper.armsim;

import io.poolkeeper.armsim.behavior.Behavior;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The latencies of Resource Manager. */
public enum LatencyProfile {
  /**
   * No latency, same protocol: an operation ends at its first poll, or shortly after without one.
   */
  FAST {
    @Override
    Duration handling(boolean write, RandomGenerator random) {
      return Duration.ZERO;
    }

    @Override
    Duration completion(RandomGenerator random) {
      return UNPOLLED;
    }

    @Override
    int retryAfterSeconds() {
      return 0;
    }

    @Override
    boolean endsAtPoll() {
      return true;
    }

    @Override
    Behavior behavior() {
      return Behavior.FAST;
    }
  },

  /** Measured at Azure: reads 0.2 to 1 s, writes 0.5 to 2 s, operations mostly 2 to 5 s. */
  AZURE {
    @Override
    Duration handling(boolean write, RandomGenerator random) {
      double seconds = write ? random.nextDouble(0.5, 2) : random.nextDouble(0.2, 1);
      return seconds(seconds);
    }

    @Override
    Duration completion(RandomGenerator random) {
      // Log-normal: median 3.5 s, 99th percentile 25 s.
      double seconds = MEDIAN_SECONDS * Math.exp(SIGMA * random.nextGaussian());
      return seconds(Math.clamp(seconds, MIN_SECONDS, MAX_SECONDS));
    }

    @Override
    int retryAfterSeconds() {
      return 1;
    }

    @Override
    boolean endsAtPoll() {
      return false;
    }

    @Override
    Behavior behavior() {
      return Behavior.AZURE;
    }
  };

  private static final Duration UNPOLLED = Duration.ofMillis(200);
  private static final double MEDIAN_SECONDS = 3.5;
  private static final double SIGMA = 0.845;
  private static final double MIN_SECONDS = 1;

  /**
   * Below {@code turnstile.turn-deadline}: longer operations are a fault, and faults come from
   * fault rules.
   */
  private static final double MAX_SECONDS = 50;

  /** From the arrival of a request to its answer. */
  abstract Duration handling(boolean write, RandomGenerator random);

  /** From the acceptance of a write to the end of its operation. */
  abstract Duration completion(RandomGenerator random);

  abstract int retryAfterSeconds();

  /** Whether a poll ends its operation. */
  abstract boolean endsAtPoll();

  /** The default behavior. */
  abstract Behavior behavior();

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }
}
