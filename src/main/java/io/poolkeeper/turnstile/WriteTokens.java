package io.poolkeeper.turnstile;

import java.time.Instant;

/**
 * The write tokens of a subscription: those for everybody, and behind them a reserve that only
 * drains spend and that fills with what does not fit into the first.
 */
public record WriteTokens(TokenBucket common, TokenBucket reserve) {
  WriteTokens at(Instant now) {
    TokenBucket.Filled filled = common.at(now);
    TokenBucket full = reserve.plus(filled.spilled());
    return new WriteTokens(
        filled.bucket(), new TokenBucket(full.rate(), full.amount(), filled.bucket().asOf()));
  }

  /** A write was sent. */
  WriteTokens sent() {
    return new WriteTokens(common.minus(1), reserve);
  }

  /** A write that was sent turns out to have been a drain's: the reserve pays as far as it can. */
  WriteTokens paidByReserve() {
    return reserve.holds(1) ? new WriteTokens(common.refunded(), reserve.minus(1)) : this;
  }

  /**
   * Whether a turn of the lane may write, when so many others may still do so.
   *
   * @param inFlight turns that are out, each of which may write once more
   */
  boolean allow(Lane lane, int inFlight) {
    return switch (lane) {
      case DRAIN -> common.holds(inFlight + 1) || reserve.holds(inFlight + 1);
      case DRAIN_RETRY -> reserve.holds(inFlight + 1);
      case UPDATE, RETRY, REPAIR -> common.holds(inFlight + 1);
    };
  }

  /** When it will, if nothing is sent meanwhile. */
  Instant allowAt(Lane lane, int inFlight) {
    return lane == Lane.DRAIN_RETRY ? reserveHolds(inFlight + 1) : common.holdsAt(inFlight + 1);
  }

  /** The reserve fills at the common rate, once the common bucket is full. */
  private Instant reserveHolds(int tokens) {
    Instant full = common.holdsAt(common.rate().burst());
    TokenBucket.Rate rate =
        new TokenBucket.Rate(reserve.rate().burst(), common.rate().milliPerSecond());
    return new TokenBucket(rate, reserve.amount(), full).holdsAt(tokens);
  }
}
