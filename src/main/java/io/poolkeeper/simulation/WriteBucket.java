package io.poolkeeper.simulation;

import io.poolkeeper.config.Settings;
import java.time.Duration;
import java.time.Instant;

/**
 * The checker's own count of write tokens in one life: never more than burst + rate x t. A call
 * that repeats itself, and turns that were out already, may overdraw it by a bounded number.
 */
final class WriteBucket {
  private final double burst;
  private final double rate;
  private final double slack;
  private double tokens;
  private Instant asOf;

  WriteBucket(Settings.Turnstile settings, Instant now) {
    this.burst = settings.writes().burst();
    this.rate = settings.writes().milliPerSecond() / 1_000.0;
    this.slack = 2.0 * settings.maxInFlight() + 4;
    this.tokens = settings.writes().initial();
    this.asOf = now;
  }

  void sent(Instant now) {
    refill(now);
    tokens--;
  }

  boolean mayWrite(Instant now) {
    refill(now);
    return tokens > -slack;
  }

  private void refill(Instant now) {
    tokens = Math.min(burst, tokens + rate * Duration.between(asOf, now).toNanos() / 1e9);
    asOf = now;
  }
}
