package io.poolkeeper.turnstile;

import java.time.Instant;

/**
 * The write tokens of a subscription: those for everybody, and behind them a reserve that only
 * drains spend and that fills with what does not fit into the first.
 */
record WriteTokens(TokenBucket common, TokenBucket reserve) {
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

  /** A turn is over that was a drain's: the reserve pays for its write as far as it can. */
  WriteTokens paidByReserve() {
    return reserve.holds(1) ? new WriteTokens(common.refunded(), reserve.minus(1)) : this;
  }

  /**
   * Whether a turn of the lane may write, when so many others may still do so.
   *
   * @param inFlight turns that are out, each of which may write once more
   * @param drains how many of them the reserve will pay for
   */
  boolean allow(Lane lane, int inFlight, int drains) {
    return switch (lane) {
      case DRAIN -> common.holds(inFlight + 1) || reserve.holds(drains + 1);
      case DRAIN_RETRY -> reserve.holds(drains + 1);
      case UPDATE, RETRY, REPAIR -> common.holds(inFlight + 1);
    };
  }

  /** When it will, if nothing is sent meanwhile; {@link Instant#MAX} if never. */
  Instant allowAt(Lane lane, int inFlight, int drains) {
    Instant fromCommon = common.holdsAt(inFlight + 1);
    Instant fromReserve = reserveHolds(drains + 1);
    return switch (lane) {
      case DRAIN -> fromCommon.isBefore(fromReserve) ? fromCommon : fromReserve;
      case DRAIN_RETRY -> fromReserve;
      case UPDATE, RETRY, REPAIR -> fromCommon;
    };
  }

  /** The reserve fills with what does not fit into the common bucket, at its rate. */
  private Instant reserveHolds(int tokens) {
    if (reserve.holds(tokens)) {
      return reserve.asOf();
    }
    return tokens > reserve.rate().burst()
        ? Instant.MAX
        : common.spilledAt(reserve.missing(tokens));
  }
}
