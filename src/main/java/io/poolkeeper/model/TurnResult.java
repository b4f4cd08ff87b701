package io.poolkeeper.model;

/** The result of a turn at a load balancer, as the turnstile needs it. */
public enum TurnResult {
  /** A write was accepted and succeeded. */
  SUCCEEDED,
  /** The pool was read, and nothing was written. */
  UNCHANGED,
  /** It failed, and no write is in flight. */
  FAILED,
  /** It failed for a write of another client; that one may be in flight, ours is not. */
  CONFLICT,
  /** A write was accepted, and ended because a later one of another client took its place. */
  SUPERSEDED,
  /** Another client's write was in flight, and nothing was written. */
  OTHER_WRITER,
  /** A write may have been taken, and its end is unknown. */
  UNRESOLVED;

  /** Whether ARM took all of its calls. */
  public boolean succeeded() {
    return this == SUCCEEDED || this == UNCHANGED;
  }

  /** Whether the read was successful and no write was sent. */
  public boolean sentNoWrite() {
    return this == UNCHANGED || this == OTHER_WRITER;
  }

  /** Whether it shows that another client writes at this load balancer. */
  public boolean contested() {
    return this == CONFLICT || this == SUPERSEDED || this == OTHER_WRITER;
  }
}
