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

  private TokenLedger(Settings.Writes writes, int burst, int initial, Instant now) {
    this.burst = burst;
    this.rate = writes.milliPerSecond() / 1_000.0;
    this.tokens = initial;
    this.asOf = now;
  }

  /** Of writes that set no admin state. */
  static TokenLedger common(Settings.Turnstile settings, Instant now) {
    Settings.Writes writes = settings.writes();
    return new TokenLedger(writes, writes.burst(), writes.initial(), now);
  }

  /** Of all writes. */
  static TokenLedger withReserve(Settings.Turnstile settings, Instant now) {
    Settings.Writes writes = settings.writes();
    return new TokenLedger(
        writes,
        writes.burst() + writes.reserveBurst(),
        writes.initial() + writes.reserveInitial(),
        now);
  }

  /** Whether there was a token for the write. */
  boolean spend(boolean first, Instant now) {
    tokens = Math.min(burst, tokens + rate * Duration.between(asOf, now).toNanos() / 1e9);
    asOf = now;
    tokens -= first ? 1 : 0;
    return tokens >= -EPSILON;
  }
}
