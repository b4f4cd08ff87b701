package io.poolkeeper.ratelimit;

/**
 * Who reads what belongs to no load balancer's turn; each makes one call at a time. The pages of a
 * listing, and a round of verifications, are one call here; each spends its own token as it is
 * sent.
 */
public enum Reader {
  /** All load balancers. */
  LISTING,
  /** A few pools. */
  VERIFICATION,
  /** A network interface that is in a pool. */
  INTERFACE
}
