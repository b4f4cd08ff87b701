package io.poolkeeper.model;

/**
 * The result of a turn at a load balancer, as the turnstile needs it. Each of its meanings is
 * stated for every result, so that a new one does not get any of them in silence.
 */
public enum TurnResult {
  /** A write was accepted and succeeded. */
  SUCCEEDED,
  /** The pool was read, and nothing was written. */
  UNCHANGED,
  /** Nothing was written, as the read failed, or as the turn came when nobody wanted it. */
  UNREAD,
  /** A write failed, and none is in flight. */
  FAILED,
  /** A write failed for one of another client; that one may be in flight, ours is not. */
  CONFLICT,
  /** A write was accepted, and ended because a later one of another client took its place. */
  SUPERSEDED,
  /** Another client's write was in flight, and nothing was written. */
  OTHER_WRITER,
  /** A write may have been taken, and its end is unknown. */
  UNRESOLVED;

  /** Whether ARM took all of its calls. */
  public boolean succeeded() {
    return switch (this) {
      case SUCCEEDED, UNCHANGED -> true;
      case UNREAD, FAILED, CONFLICT, SUPERSEDED, OTHER_WRITER, UNRESOLVED -> false;
    };
  }

  /** Whether a write was sent, for which its lane pays. */
  public boolean wrote() {
    return switch (this) {
      case SUCCEEDED, FAILED, CONFLICT, SUPERSEDED, UNRESOLVED -> true;
      case UNCHANGED, UNREAD, OTHER_WRITER -> false;
    };
  }

  /** Whether it costs the retry budget, if it was a retry: a call of it failed, or it wrote. */
  public boolean costsRetry() {
    return wrote() || this == UNREAD;
  }

  /** Whether nobody may write before a look has shown that the last write, whosever, is over. */
  public boolean settles() {
    return switch (this) {
      case SUPERSEDED, OTHER_WRITER, UNRESOLVED -> true;
      case SUCCEEDED, UNCHANGED, UNREAD, FAILED, CONFLICT -> false;
    };
  }

  /** Whether it shows that another client writes at this load balancer. */
  public boolean contested() {
    return switch (this) {
      case CONFLICT, SUPERSEDED, OTHER_WRITER -> true;
      case SUCCEEDED, UNCHANGED, UNREAD, FAILED, UNRESOLVED -> false;
    };
  }
}
