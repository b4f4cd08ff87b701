package io.poolkeeper.model;

/**
 * Why a call to ARM did not do its work, as plain data: the ground on which policy classifies it.
 *
 * @param status HTTP status; 0 if there was no answer
 * @param code ARM's error code, such as {@code PreconditionFailed}; empty if there was none
 * @param message for people: one line, without secrets
 */
public record ArmFailure(Kind kind, int status, String code, String message) {
  /** Where the call failed. */
  public enum Kind {
    /** ARM answered with an error status. */
    RESPONSE,
    /** No answer: refused, reset, not resolved, timed out. */
    TRANSPORT,
    /** An answer that cannot be read: HTML, an empty or truncated body, JSON of another shape. */
    MALFORMED,
    /** No credentials, or ARM's identity provider refused them. */
    AUTHENTICATION,
    /** The PUT was accepted, but its operation ended as Failed or Canceled. */
    OPERATION,
    /** The PUT was accepted, but how its operation ended is not known. */
    UNRESOLVED
  }

  /** Whether the resource, its load balancer or its resource group does not exist. */
  public boolean notFound() {
    return kind == Kind.RESPONSE && status == 404;
  }

  /** One line for logs and events. */
  @Override
  public String toString() {
    String prefix = status == 0 ? "" : "HTTP " + status + " ";
    return prefix + (code.isEmpty() ? "" : code + ": ") + message;
  }
}
