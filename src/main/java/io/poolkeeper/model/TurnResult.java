package io.poolkeeper.model;

/** How a turn at a load balancer ended, as far as others are concerned. */
public enum TurnResult {
  /** ARM did as it was asked. */
  SUCCEEDED,
  /** It did not, and it is known that nothing is in flight any more. */
  FAILED,
  /** Another writer was writing the pool, and nothing was begun. */
  OTHER_WRITER,
  /** A write was accepted, and how it ended is not known. */
  UNRESOLVED
}
