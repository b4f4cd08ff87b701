package io.poolkeeper.turnstile;

/** Who reads what belongs to no load balancer's turn; each makes one call at a time. */
public enum Reader {
  /** All load balancers. */
  LISTING,
  /** A network interface that is in a pool. */
  INTERFACE
}
