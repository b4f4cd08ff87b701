package io.poolkeeper.armsim;

import io.poolkeeper.armsim.fault.Behavior;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The latencies of Resource Manager. */
public enum LatencyProfile {
  /**
   * No latency, same protocol: an operation ends at its first poll, or shortly after without one.
   */
  FAST,

  /** Measured at Azure: reads 0.2 to 1 s, writes 0.5 to 2 s, operations mostly 2 to 5 s. */
  AZURE;

  private static final Duration UNPOLLED = Duration.ofMillis(200);
  private static final double MEDIAN_SECONDS = 3.5;
  private static final double SIGMA = 0.845;
  private static final double MIN_SECONDS = 1;

  /**
   * Below {@code turnstile.turn-deadline}: longer operations are a fault, and faults come from
   * fault rules.
   */
  private static final double MAX_SECONDS = 50;

  public static Optional<LatencyProfile> named(String name) {
    return Arrays.stream(values())
        .filter(profile -> profile.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }

  /** From the arrival of a request to its answer. */
  Duration handling(boolean write, RandomGenerator random) {
    return switch (this) {
      case FAST -> Duration.ZERO;
      case AZURE -> seconds(write ? random.nextDouble(0.5, 2) : random.nextDouble(0.2, 1));
    };
  }

  /** From the acceptance of a write to the end of its operation. */
  Duration completion(RandomGenerator random) {
    return switch (this) {
      case FAST -> UNPOLLED;
      case AZURE -> {
        // Log-normal: median 3.5 s, 99th percentile 25 s.
        double seconds = MEDIAN_SECONDS * Math.exp(SIGMA * random.nextGaussian());
        yield seconds(Math.clamp(seconds, MIN_SECONDS, MAX_SECONDS));
      }
    };
  }

  public Duration longestCompletion() {
    return this == FAST ? UNPOLLED : seconds(MAX_SECONDS);
  }

  int retryAfterSeconds() {
    return this == FAST ? 0 : 1;
  }

  boolean endsAtPoll() {
    return this == FAST;
  }

  Behavior behavior() {
    return this == FAST ? Behavior.FAST : Behavior.AZURE;
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }
}
