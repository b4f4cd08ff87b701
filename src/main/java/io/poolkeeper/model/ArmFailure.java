package io.poolkeeper.model;

import java.time.Instant;
import java.util.Optional;

/**
 * A failed call to ARM as plain data, for policy to classify.
 *
 * @param status HTTP status; 0 if there was no answer
 * @param code ARM's error code, such as {@code PreconditionFailed}; empty if there was none
 * @param message one readable line, without secrets
 * @param retryAfter when ARM accepts such calls again, monotonic; not in the future if ARM did not
 *     say. Present if the call was throttled, or if the end of a write is unknown because a poll
 *     was
 */
public record ArmFailure(
    Kind kind, int status, String code, String message, Optional<Instant> retryAfter) {
  /** Where the call failed. */
  public enum Kind {
    /** ARM answered with an error status other than 429. */
    RESPONSE,
    /** ARM answered 429, or the call was not sent because the gate of an earlier 429 is closed. */
    THROTTLED,
    /**
     * No complete answer, and the next call may get one: refused, reset, not resolved, timed out,
     * cut off. An explicit list; other errors below HTTP are not of this kind (spec 1, Error
     * Classification).
     */
    TRANSPORT,
    /** The server's certificate is not trusted, or TLS failed otherwise. */
    UNTRUSTED,
    /** An answer that cannot be read: HTML, or JSON of another shape. */
    MALFORMED,
    /** No credentials, or ARM's identity provider refused them. */
    AUTHENTICATION,
    /** The PUT was accepted, but its operation failed. */
    OPERATION,
    /** The PUT was accepted, but its operation was cancelled, usually by a later write. */
    CANCELED,
    /** The PUT was accepted, but the end of its operation is unknown. */
    UNRESOLVED,
    /** The call was abandoned because this program stops. */
    SHUTDOWN,
    /** Anything else. */
    OTHER
  }

  public ArmFailure {
    boolean allowed = kind == Kind.THROTTLED || kind == Kind.UNRESOLVED;
    if (retryAfter.isPresent() ? !allowed : kind == Kind.THROTTLED) {
      throw new IllegalArgumentException(kind + " with retryAfter " + retryAfter);
    }
  }

  /** A failure other than a throttle. */
  public ArmFailure(Kind kind, int status, String code, String message) {
    this(kind, status, code, message, Optional.empty());
  }

  /** A throttle. */
  public static ArmFailure throttled(String code, String message, Instant retryAfter) {
    return new ArmFailure(Kind.THROTTLED, 429, code, message, Optional.of(retryAfter));
  }

  /** Whether both failures have the same cause, whatever their messages. */
  public boolean sameClass(ArmFailure other) {
    return kind == other.kind && status == other.status && code.equals(other.code);
  }

  /** One line for logs and events. */
  @Override
  public String toString() {
    String prefix = status == 0 ? "" : "HTTP " + status + " ";
    return prefix + (code.isEmpty() ? "" : code + ": ") + message;
  }
}
