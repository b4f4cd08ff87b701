package io.poolkeeper.ratelimit;

import java.time.Duration;
import java.time.Instant;

/**
 * The write tokens of a subscription: a common bucket for all permits, and a reserve that only
 * drains spend. The reserve fills with what does not fit into the common bucket. As early writes
 * may keep that bucket from ever being full, the reserve gets a fifth of the rate for a while after
 * each early write (architecture, The rate limiter).
 *
 * @param sharedUntil until when the reserve gets its fifth
 */
public record WriteTokens(TokenBucket common, TokenBucket reserve, Instant sharedUntil) {
  private static final Duration SHARED = Duration.ofMinutes(5);

  /** An early write leaves the size of the common bucket divided by this to others. */
  private static final int EARLY_LEAVES = 8;

  WriteTokens at(Instant now) {
    Instant end = sharingEnds();
    Instant by = now.isBefore(end) ? now : end;
    WriteTokens shared = by.isAfter(asOf()) ? shared(by) : this;
    TokenBucket.Filled filled = shared.common.at(now);
    TokenBucket full = shared.reserve.plus(filled.spilled(), filled.bucket().asOf());
    return new WriteTokens(filled.bucket(), full, sharedUntil);
  }

  WriteTokens sent() {
    return new WriteTokens(common.minus(1), reserve, sharedUntil);
  }

  /** A drain's permit is over: the reserve pays for its write as far as it can. */
  WriteTokens paidByReserve() {
    return reserve.holds(1)
        ? new WriteTokens(common.refunded(), reserve.minus(1), sharedUntil)
        : this;
  }

  WriteTokens afterEarly() {
    return new WriteTokens(common, reserve, asOf().plus(SHARED));
  }

  /**
   * Whether a permit of the priority level may write, when so many others may still do so.
   *
   * @param inFlight permits that are out, each of which may write once more
   * @param drains how many of them the reserve will pay for
   */
  boolean allow(PriorityLevel level, int inFlight, int drains) {
    return switch (level) {
      case DRAIN, DRAIN_RETRY -> common.holds(inFlight + 1) || reserved(drains);
      case UPDATE, RETRY, REPAIR -> common.holds(inFlight + 1);
      case EARLY -> common.holds(left() + inFlight + 1);
    };
  }

  /** Whether the reserve has a token for one more drain. */
  boolean reserved(int drains) {
    return reserve.holds(drains + 1);
  }

  /**
   * When the priority level may write, if nothing is sent meanwhile; {@link Instant#MAX} if never.
   */
  Instant allowAt(PriorityLevel level, int inFlight, int drains) {
    return switch (level) {
      case DRAIN, DRAIN_RETRY -> {
        Instant fromCommon = commonHolds(inFlight + 1);
        Instant fromReserve = reserveHolds(drains + 1);
        yield fromCommon.isBefore(fromReserve) ? fromCommon : fromReserve;
      }
      case UPDATE, RETRY, REPAIR -> commonHolds(inFlight + 1);
      case EARLY -> commonHolds(left() + inFlight + 1);
    };
  }

  private int left() {
    return common.rate().burst() / EARLY_LEAVES;
  }

  private Instant asOf() {
    return common.asOf();
  }

  private Instant commonHolds(int tokens) {
    Instant end = sharingEnds();
    if (!asOf().isBefore(end) || tokens > common.rate().burst()) {
      return common.holdsAt(tokens);
    }
    Instant at = after(common.missing(tokens), 4 * fifth());
    return at.isAfter(end) ? at(end).commonHolds(tokens) : at;
  }

  private Instant reserveHolds(int tokens) {
    if (reserve.holds(tokens)) {
      return asOf();
    }
    if (tokens > reserve.rate().burst()) {
      return Instant.MAX;
    }
    long missing = reserve.missing(tokens);
    Instant end = sharingEnds();
    if (!asOf().isBefore(end)) {
      return common.spilledAt(missing);
    }
    Instant at = sharedReserveGains(missing);
    return at.isAfter(end) ? at(end).reserveHolds(tokens) : at;
  }

  /** When the reserve gets its fifth no longer: the time is over, or the reserve is full. */
  private Instant sharingEnds() {
    Instant full = sharedReserveGains(reserve.room());
    return full.isBefore(sharedUntil) ? full : sharedUntil;
  }

  /** Both buckets at a time until which the rate is shared. */
  private WriteTokens shared(Instant by) {
    long nanos = Duration.between(asOf(), by).toNanos();
    long spilled = Math.max(0, nanos * 4 * fifth() - common.room());
    return new WriteTokens(
        common.plus(nanos * 4 * fifth(), by),
        reserve.plus(nanos * fifth() + spilled, by),
        sharedUntil);
  }

  /** When the reserve has gained that amount, from its fifth and from the overflow. */
  private Instant sharedReserveGains(long parts) {
    Instant byFifth = after(parts, fifth());
    Instant bySpill = after(parts + common.room(), 5 * fifth());
    return byFifth.isBefore(bySpill) ? byFifth : bySpill;
  }

  private Instant after(long parts, long perNano) {
    return asOf().plusNanos(Math.ceilDiv(parts, perNano));
  }

  private long fifth() {
    return common.rate().fifthPerNano();
  }
}
