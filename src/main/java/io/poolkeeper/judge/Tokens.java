package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;

/** One token bucket as the wire shows it. It may be overdrawn. */
final class Tokens {
  private final Documented.Bucket bucket;
  private double held;
  private Instant asOf;

  Tokens(Documented.Bucket bucket, Instant now) {
    this.bucket = bucket;
    this.held = bucket.initial();
    this.asOf = now;
  }

  /** What it gains until then, at a part of its rate; returns what did not fit. */
  double fill(Instant now, double part) {
    double full = held + bucket.rate() * part * seconds(asOf, now);
    asOf = now.isAfter(asOf) ? now : asOf;
    held = Math.min(bucket.burst(), full);
    return full - held;
  }

  void add(double tokens) {
    held = Math.min(bucket.burst(), held + tokens);
  }

  void spend() {
    held -= 1;
  }

  boolean holds(double tokens) {
    return held >= Math.min(tokens, bucket.burst());
  }

  /** When it holds so many, at a part of its rate and if nothing is spent. */
  Instant holdsAt(double tokens, double part) {
    double missing = Math.min(tokens, bucket.burst()) - held;
    return asOf.plusNanos((long) Math.ceil(Math.max(0, missing) / (bucket.rate() * part) * 1e9));
  }

  int burst() {
    return bucket.burst();
  }

  private static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toNanos() / 1e9);
  }
}
