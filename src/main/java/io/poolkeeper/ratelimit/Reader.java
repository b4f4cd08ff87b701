package io.poolkeeper.ratelimit;

/**
 * Who reads at ARM without a permit. Each reader makes one call at a time, where all pages of a
 * listing, or all pools of a round of verifications, are one call; every request that is sent
 * spends a token.
 */
public enum Reader {
  /** All load balancers. */
  LISTING,
  /** A few pools. */
  VERIFICATION,
  /** A network interface that is in a pool. */
  INTERFACE
}
