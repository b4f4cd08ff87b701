package io.poolkeeper.simulation;

import io.poolkeeper.config.Settings;
import java.time.Duration;
import java.time.Instant;

/**
 * The write tokens of one process: never more writes than initial + rate x t, nor than burst at
 * once. A PUT that a call repeats costs the controller a token, too, but may overdraw the bucket;
 * so it is left out here, and the bound on all others is exact.
 */
final class TokenLedger {
  /** Rounding. */
  private static final double EPSILON = 1e-6;

  private final double burst;
  private final double rate;
  private double tokens;
  private Instant asOf;

  TokenLedger(Settings.Turnstile settings, Instant now) {
    this.burst = settings.writes().burst();
    this.rate = settings.writes().milliPerSecond() / 1_000.0;
    this.tokens = settings.writes().initial();
    this.asOf = now;
  }

  /** Whether there was a token for the write. */
  boolean spend(boolean first, Instant now) {
    tokens = Math.min(burst, tokens + rate * Duration.between(asOf, now).toNanos() / 1e9);
    asOf = now;
    tokens -= first ? 1 : 0;
    return tokens >= -EPSILON;
  }
}
