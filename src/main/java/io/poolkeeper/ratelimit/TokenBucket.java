package io.poolkeeper.ratelimit;

import io.poolkeeper.model.Range;
import java.time.Duration;
import java.time.Instant;

/**
 * Tokens that come back at a rate, up to a capacity. Immutable and exact: an amount is a whole
 * number of parts, five trillion to a token, and time is in nanoseconds. Calls that were sent may
 * overdraw a bucket: then no token is available until enough have come back.
 *
 * <p>Own arithmetic, and not a library's: libraries read a clock and keep state, while the whole
 * rate limiter must run on a clock that is passed in and be a value that can be compared.
 *
 * @param amount parts of tokens at {@code asOf}; negative if overdrawn
 */
public record TokenBucket(Rate rate, long amount, Instant asOf) {
  private static final int MOST_TOKENS = 100_000;

  /**
   * A fifth of a nanosecond's gain at the slowest rate is one part: a rate can be split in fifths.
   */
  private static final int FIFTHS = 5;

  private static final long TOKEN = FIFTHS * 1_000_000_000_000L;

  /**
   * How many tokens there are at most and how fast they come.
   *
   * @param milliPerSecond thousandths of tokens per second
   */
  public record Rate(int burst, int milliPerSecond) {
    public static final Range<Integer> BURST = new Range<>(1, MOST_TOKENS);
    public static final Range<Integer> MILLI_PER_SECOND = new Range<>(1, 1_000_000);

    public Rate {
      BURST.check("burst", burst);
      MILLI_PER_SECOND.check("thousandths per second", milliPerSecond);
    }

    private long capacity() {
      return burst * TOKEN;
    }

    /** How many parts come in a nanosecond. */
    private long perNano() {
      return (long) FIFTHS * milliPerSecond;
    }

    /** A fifth of the parts that come in a nanosecond. */
    long fifthPerNano() {
      return milliPerSecond;
    }
  }

  /** A bucket, and the amount that it had no room for. */
  record Filled(TokenBucket bucket, long spilled) {}

  static TokenBucket holding(Rate rate, int tokens, Instant now) {
    return new TokenBucket(rate, Math.min(tokens, rate.burst) * TOKEN, now);
  }

  boolean holds(int tokens) {
    return amount >= tokens * TOKEN;
  }

  TokenBucket minus(int tokens) {
    return new TokenBucket(rate, amount - tokens * TOKEN, asOf);
  }

  /** With a token given back, as far as there is room. */
  TokenBucket refunded() {
    return plus(TOKEN, asOf);
  }

  /** Adds parts that came until that time, as far as there is room. */
  TokenBucket plus(long parts, Instant by) {
    return new TokenBucket(rate, Math.min(rate.capacity(), amount + parts), by);
  }

  /** How many parts fit in. */
  long room() {
    return rate.capacity() - amount;
  }

  /** The bucket now, and what it had no room for. Time that goes back adds none. */
  Filled at(Instant now) {
    if (!now.isAfter(asOf)) {
      return new Filled(this, 0);
    }
    // By then it is full, and so is whatever takes the spill; hours of the fastest rate overflow.
    long longest = Math.ceilDiv(room() + MOST_TOKENS * TOKEN, rate.perNano());
    Duration elapsed = Duration.between(asOf, now);
    long nanos = elapsed.compareTo(Duration.ofNanos(longest)) > 0 ? longest : elapsed.toNanos();
    long came = nanos * rate.perNano();
    return new Filled(plus(came, now), Math.max(0, came - room()));
  }

  /** When there will be that number of tokens; {@link Instant#MAX} without room for them. */
  Instant holdsAt(int tokens) {
    if (tokens > rate.burst) {
      return Instant.MAX;
    }
    return asOf.plusNanos(Math.ceilDiv(missing(tokens), rate.perNano()));
  }

  /** When that number of parts will have come without room for them. */
  Instant spilledAt(long parts) {
    return asOf.plusNanos(Math.ceilDiv(room() + parts, rate.perNano()));
  }

  /** The number of parts that are missing until there is that number of tokens. */
  long missing(int tokens) {
    return Math.max(0, tokens * TOKEN - amount);
  }

  /** The amount, with fractions; negative if it is overdrawn. */
  public double tokens() {
    return (double) amount / TOKEN;
  }
}
