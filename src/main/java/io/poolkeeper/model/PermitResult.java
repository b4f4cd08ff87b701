package io.poolkeeper.model;

/**
 * The result of a permit at a load balancer, as the rate limiter needs it. Each method lists every
 * result, so that a new one gets no meaning silently.
 */
public enum PermitResult {
  /** A write was accepted and succeeded. */
  SUCCEEDED,
  /** The pool was read, and nothing was written. */
  UNCHANGED,
  /** No call was made, as the permit came when nobody wanted it. */
  UNUSED,
  /** Nothing was written, as the read failed. */
  UNREAD,
  /** A write failed, and none is in flight. */
  FAILED,
  /** A write failed because of another client's; that one may be in flight, ours is not. */
  CONFLICT,
  /** A write was accepted, and ended because a later one of another client took its place. */
  SUPERSEDED,
  /** Another client's write was in flight, and nothing was written. */
  OTHER_WRITER,
  /** A write may have been taken, and its end is unknown. */
  UNRESOLVED;

  /** Whether calls were made, and ARM accepted all of them. */
  public boolean succeeded() {
    return switch (this) {
      case SUCCEEDED, UNCHANGED -> true;
      case UNUSED, UNREAD, FAILED, CONFLICT, SUPERSEDED, OTHER_WRITER, UNRESOLVED -> false;
    };
  }

  /** Whether a write was sent, so that the priority level pays for it. */
  public boolean wrote() {
    return switch (this) {
      case SUCCEEDED, FAILED, CONFLICT, SUPERSEDED, UNRESOLVED -> true;
      case UNCHANGED, UNUSED, UNREAD, OTHER_WRITER -> false;
    };
  }

  /** Whether a retry with this result costs the retry budget: a call failed, or it wrote. */
  public boolean costsRetry() {
    return wrote() || this == UNREAD;
  }

  /** Whether no write may follow before a verification has shown that the last one is over. */
  public boolean settles() {
    return switch (this) {
      case SUPERSEDED, OTHER_WRITER, UNRESOLVED -> true;
      case SUCCEEDED, UNCHANGED, UNUSED, UNREAD, FAILED, CONFLICT -> false;
    };
  }

  /** Whether the permit shows that another client writes at this load balancer. */
  public boolean contested() {
    return switch (this) {
      case CONFLICT, SUPERSEDED, OTHER_WRITER -> true;
      case SUCCEEDED, UNCHANGED, UNUSED, UNREAD, FAILED, UNRESOLVED -> false;
    };
  }
}
