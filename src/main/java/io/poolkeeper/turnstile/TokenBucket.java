package io.poolkeeper.turnstile;

import java.time.Duration;
import java.time.Instant;

/**
 * Tokens that come back at a rate, up to a capacity. Immutable and exact: amounts are whole
 * trillionths of a token, and time is in nanoseconds. It may be overdrawn by calls that were sent;
 * then no token is available until it is positive again.
 *
 * <p>Own arithmetic, and not a library's: libraries read a clock and keep state, while the whole
 * turnstile must run on a clock that is passed in and be a value that can be compared.
 *
 * @param amount trillionths of tokens at {@code asOf}; negative if overdrawn
 */
public record TokenBucket(Rate rate, long amount, Instant asOf) {
  private static final int MOST_TOKENS = 100_000;
  private static final long TOKEN = 1_000_000_000_000L;

  /**
   * How many tokens there are at most and how fast they come.
   *
   * @param burst 1 to {@value #MOST_TOKENS}
   * @param milliPerSecond thousandths of tokens per second, 1 to 1,000,000
   */
  public record Rate(int burst, int milliPerSecond) {
    public Rate {
      if (burst < 1 || burst > MOST_TOKENS || milliPerSecond < 1 || milliPerSecond > 1_000_000) {
        throw new IllegalArgumentException("no rate: " + burst + " and " + milliPerSecond);
      }
    }

    private long capacity() {
      return burst * TOKEN;
    }
  }

  /** What is in a bucket, and what did not fit in. */
  record Filled(TokenBucket bucket, long spilled) {}

  static TokenBucket holding(Rate rate, int tokens, Instant now) {
    return new TokenBucket(rate, Math.min(tokens, rate.burst) * TOKEN, now);
  }

  /** Whether so many tokens are there. */
  boolean holds(int tokens) {
    return amount >= tokens * TOKEN;
  }

  TokenBucket minus(int tokens) {
    return new TokenBucket(rate, amount - tokens * TOKEN, asOf);
  }

  /** With a token given back, as far as there is room. */
  TokenBucket refunded() {
    return plus(TOKEN);
  }

  /** With an amount of trillionths added as far as it fits. */
  TokenBucket plus(long trillionths) {
    return new TokenBucket(rate, Math.min(rate.capacity(), amount + trillionths), asOf);
  }

  /** As it is now, and what would have come had there been room. Time that goes back adds none. */
  Filled at(Instant now) {
    if (!now.isAfter(asOf)) {
      return new Filled(this, 0);
    }
    // By then it is full, and so is whatever takes the spill; hours of the fastest rate overflow.
    long longest =
        Math.ceilDiv(rate.capacity() - amount + MOST_TOKENS * TOKEN, rate.milliPerSecond);
    Duration elapsed = Duration.between(asOf, now);
    long nanos = elapsed.compareTo(Duration.ofNanos(longest)) > 0 ? longest : elapsed.toNanos();
    long came = nanos * rate.milliPerSecond;
    long fits = Math.min(came, rate.capacity() - amount);
    return new Filled(new TokenBucket(rate, amount + fits, now), came - fits);
  }

  /** When it will hold so many tokens; {@link Instant#MAX} if there is no room for so many. */
  Instant holdsAt(int tokens) {
    if (tokens > rate.burst) {
      return Instant.MAX;
    }
    return asOf.plusNanos(Math.ceilDiv(missing(tokens), rate.milliPerSecond));
  }

  /** When so many trillionths will have come that did not fit in. */
  Instant spilledAt(long trillionths) {
    long toCome = rate.capacity() - amount + trillionths;
    return asOf.plusNanos(Math.ceilDiv(toCome, rate.milliPerSecond));
  }

  /** How many trillionths are missing to so many tokens. */
  long missing(int tokens) {
    return Math.max(0, tokens * TOKEN - amount);
  }

  double tokens() {
    return (double) amount / TOKEN;
  }
}
