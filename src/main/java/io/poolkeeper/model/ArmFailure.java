package io.poolkeeper.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Why a call to ARM did not do its work, as plain data: the ground on which policy classifies it.
 *
 * @param status HTTP status; 0 if there was no answer
 * @param code ARM's error code, such as {@code PreconditionFailed}; empty if there was none
 * @param message for people: one line, without secrets
 * @param retryAfter when ARM takes such calls again, monotonic, and not in the future if ARM did
 *     not say; present if the call was throttled, and if the end of a write is not known for that
 *     reason
 */
public record ArmFailure(
    Kind kind, int status, String code, String message, Optional<Instant> retryAfter) {
  /** Where the call failed. */
  public enum Kind {
    /** ARM answered with an error status other than 429. */
    RESPONSE,
    /** ARM answered 429, or the call was not sent because an earlier 429 still holds. */
    THROTTLED,
    /**
     * No whole answer, and the next call may well get one: refused, reset, not resolved, timed out,
     * cut off. Errors below HTTP are of this kind by opting in only (spec 1, Error Classification).
     */
    TRANSPORT,
    /** The other side is not who it should be, or TLS failed otherwise. */
    UNTRUSTED,
    /** An answer that cannot be read: HTML, or JSON of another shape. */
    MALFORMED,
    /** No credentials, or ARM's identity provider refused them. */
    AUTHENTICATION,
    /** The PUT was accepted, but its operation failed. */
    OPERATION,
    /** The PUT was accepted, but its operation was cancelled, as a rule by a later write. */
    CANCELED,
    /** The PUT was accepted, but how its operation ended is not known. */
    UNRESOLVED,
    /** The call was given up because this program ends. */
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

  /** A failure that is no throttle. */
  public ArmFailure(Kind kind, int status, String code, String message) {
    this(kind, status, code, message, Optional.empty());
  }

  /** A throttle. */
  public static ArmFailure throttled(String code, String message, Instant retryAfter) {
    return new ArmFailure(Kind.THROTTLED, 429, code, message, Optional.of(retryAfter));
  }

  /** Whether the other failure is of the same class: the texts may differ, the trouble does not. */
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
