package io.poolkeeper.model;

/** The result of a turn at a load balancer, as the turnstile needs it. */
public enum TurnResult {
  /** ARM's answers were successful. */
  SUCCEEDED,
  /** It failed, and no write is in flight. */
  FAILED,
  /** Another client's write was in flight, and nothing was written. */
  OTHER_WRITER,
  /** A write was accepted, and its end is unknown. */
  UNRESOLVED
}
