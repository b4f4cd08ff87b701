package io.poolkeeper.model;

import io.poolkeeper.model.AzureError.Ender;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A failed call to ARM as plain data. Verdict, retry reason and permit result are derived from it.
 *
 * @param status HTTP status; 0 if there was no answer, as of a call that was not sent
 * @param code ARM's error code, such as {@code PreconditionFailed}; empty if there was none
 * @param message one readable line, without secrets
 * @param retryAfter when ARM accepts such calls again, monotonic; not in the future if ARM did not
 *     say. Present if the call was throttled, or if a throttled poll leaves the end of a write
 *     unknown; may be present if the status is one that is repeated in the call
 * @param inDoubt whether an earlier try of the same PUT may have been taken; this failure says
 *     nothing about that try
 * @param ids of the call, if it was sent
 */
public record ArmFailure(
    Kind kind,
    int status,
    String code,
    String message,
    Optional<Instant> retryAfter,
    boolean inDoubt,
    RequestIds ids) {
  public enum Kind {
    /** ARM answered with an error status other than 429. */
    RESPONSE(Verdict.TERMINAL, RetryReason.TERMINAL, PermitResult.FAILED),
    /** ARM answered 429, or the call was not sent because the gate of an earlier 429 is closed. */
    THROTTLED(Verdict.RETRIABLE, RetryReason.THROTTLED, PermitResult.FAILED),
    /** No connection was made, so that nothing was sent: not resolved, refused, no way there. */
    UNCONNECTED(Verdict.RETRIABLE, RetryReason.TRANSPORT, PermitResult.FAILED),
    /**
     * No complete answer, and the next call may get one: reset, timed out, cut off. An explicit
     * list; other errors below HTTP are not of this kind (spec 1, Error Classification).
     */
    TRANSPORT(Verdict.RETRIABLE, RetryReason.TRANSPORT, PermitResult.UNRESOLVED),
    /** The server's certificate is not trusted, or TLS failed otherwise. */
    UNTRUSTED(Verdict.TERMINAL, RetryReason.TERMINAL, PermitResult.FAILED),
    /** An answer that cannot be read: HTML, or JSON of another shape. */
    MALFORMED(Verdict.TERMINAL, RetryReason.TERMINAL, PermitResult.UNRESOLVED),
    /** No credentials, or ARM's identity provider refused them. */
    AUTHENTICATION(Verdict.TERMINAL, RetryReason.TERMINAL, PermitResult.FAILED),
    /** The PUT was accepted, but its operation failed. */
    OPERATION(Verdict.TERMINAL, RetryReason.OPERATION, PermitResult.FAILED),
    /** The PUT was accepted, but its operation was cancelled, usually by a later write. */
    CANCELED(Verdict.RETRIABLE, RetryReason.CANCELLED, PermitResult.SUPERSEDED),
    /** The PUT was accepted, but the end of its operation is unknown. */
    UNRESOLVED(Verdict.RETRIABLE, RetryReason.UNRESOLVED, PermitResult.UNRESOLVED),
    /** No try of the write was sent any more, as its permit may not begin one. */
    WITHHELD(Verdict.RETRIABLE, RetryReason.UNRESOLVED, PermitResult.FAILED),
    /** The PUT and its operation succeeded, but the pool is not as they left it. */
    UNDONE(Verdict.RETRIABLE, RetryReason.CANCELLED, PermitResult.SUCCEEDED),
    /** The call was abandoned because this program stops. */
    SHUTDOWN(Verdict.SHUTDOWN, RetryReason.TERMINAL, PermitResult.UNRESOLVED),
    OTHER(Verdict.TERMINAL, RetryReason.TERMINAL, PermitResult.UNRESOLVED);

    private final Verdict verdict;
    private final RetryReason reason;
    private final PermitResult written;

    /**
     * The defaults of a kind, without regard to status and code; {@code written} applies after a
     * PUT.
     */
    Kind(Verdict verdict, RetryReason reason, PermitResult written) {
      this.verdict = verdict;
      this.reason = reason;
      this.written = written;
    }
  }

  /** The statuses with which a call is repeated before it fails. */
  public static final Set<Integer> REPEATED = Set.of(408, 500, 502, 503, 504);

  private static final int TOO_MANY_REQUESTS = 429;

  /** An event has room for 1024 characters, and says more than Azure's message after it. */
  private static final int IN_EVENT = 560;

  public ArmFailure {
    boolean allowed =
        switch (kind) {
          case THROTTLED, UNRESOLVED -> true;
          case RESPONSE -> REPEATED.contains(status);
          case UNCONNECTED,
              TRANSPORT,
              WITHHELD,
              UNTRUSTED,
              MALFORMED,
              AUTHENTICATION,
              OPERATION,
              CANCELED,
              UNDONE,
              SHUTDOWN,
              OTHER ->
              false;
        };
    if (retryAfter.isPresent() ? !allowed : kind == Kind.THROTTLED) {
      throw new IllegalArgumentException(kind + " with retryAfter " + retryAfter);
    }
  }

  /** A failure that leaves no doubt about earlier tries. */
  public ArmFailure(
      Kind kind, int status, String code, String message, Optional<Instant> retryAfter) {
    this(kind, status, code, message, retryAfter, false, RequestIds.NONE);
  }

  /** A failure other than a throttle. */
  public ArmFailure(Kind kind, int status, String code, String message) {
    this(kind, status, code, message, Optional.empty());
  }

  public static ArmFailure throttled(String code, String message, Instant retryAfter) {
    return new ArmFailure(
        Kind.THROTTLED, TOO_MANY_REQUESTS, code, message, Optional.of(retryAfter));
  }

  /** A call that was not sent, as the gate of an earlier 429 is closed. */
  public static ArmFailure held(String message, Instant retryAfter) {
    return new ArmFailure(Kind.THROTTLED, 0, "", message, Optional.of(retryAfter));
  }

  /** This failure, after a try that may have been taken. */
  public ArmFailure afterDoubtfulTry() {
    return new ArmFailure(kind, status, code, message, retryAfter, true, ids);
  }

  public ArmFailure with(RequestIds known) {
    return new ArmFailure(kind, status, code, message, retryAfter, inDoubt, known);
  }

  /**
   * The verdict on the attempt that met this failure (spec 1, Error Classification;
   * docs/topics/multislb.md, "Which errors are retried").
   */
  public Verdict verdict() {
    return switch (kind) {
      case RESPONSE -> error().verdict();
      // The pool was there when the write was accepted.
      case OPERATION ->
          error().verdict() == Verdict.RETRIABLE ? Verdict.RETRIABLE : Verdict.TERMINAL;
      default -> kind.verdict;
    };
  }

  /**
   * What Azure's table of errors says of its status and code. Those of an unresolved write are a
   * poll's, and say nothing of the write.
   */
  public AzureError error() {
    return switch (kind) {
      case UNRESOLVED -> AzureError.UNAVAILABLE;
      case UNDONE -> AzureError.SUPERSEDED;
      case THROTTLED -> AzureError.of(TOO_MANY_REQUESTS, code);
      default -> AzureError.of(status, code);
    };
  }

  /** Whether ARM answered 429 to a call, a poll included. */
  public boolean refused() {
    return status == TOO_MANY_REQUESTS && retryAfter.isPresent();
  }

  /** Whether a call, a poll included, was not sent as a gate was closed. */
  public boolean held() {
    return status == 0 && retryAfter.isPresent();
  }

  /** Whether a write of another client has caused the failure. */
  private boolean conflict() {
    Ender ender = error().ender();
    return (ender == Ender.OTHER_WRITER || ender == Ender.LOAD_BALANCER)
        && (kind == Kind.RESPONSE || kind == Kind.OPERATION);
  }

  /** The reason of an attempt that follows this failure. */
  public RetryReason reason() {
    if (kind != Kind.RESPONSE || verdict() != Verdict.RETRIABLE) {
      return kind.reason;
    }
    return error() == AzureError.PRECONDITION ? RetryReason.PRECONDITION : RetryReason.CONFLICT;
  }

  /**
   * The result of the permit. It is unresolved after a PUT that may have been taken, whatever the
   * last answer was.
   *
   * @param writing whether the failed call was a PUT
   */
  public PermitResult permitResult(boolean writing) {
    if (!writing) {
      return PermitResult.UNREAD;
    }
    if (inDoubt || (kind == Kind.RESPONSE && REPEATED.contains(status))) {
      return PermitResult.UNRESOLVED;
    }
    return conflict() ? PermitResult.CONFLICT : kind.written;
  }

  /** Whether the write was withheld before its first try. */
  public boolean unsent() {
    return kind == Kind.WITHHELD && !inDoubt;
  }

  /** Whether both failures have the same cause, whatever their messages. */
  public boolean sameClass(ArmFailure other) {
    return kind == other.kind && status == other.status && code.equals(other.code);
  }

  /** One line with the ids of the call. Failures of the same class differ in it. */
  public String inFull() {
    String known = ids.toString();
    return this + (known.isEmpty() ? "" : " (" + known + ")");
  }

  /** The sentences of an event: all, and who can end it if Azure does not say so. */
  public String explained() {
    String shown = Truncated.to(IN_EVENT, message, "...");
    String text = new ArmFailure(kind, status, code, shown, retryAfter, inDoubt, ids).inFull();
    String words = error().ender().words();
    return text + (text.endsWith(".") ? "" : ".") + (words.isEmpty() ? "" : " " + words);
  }

  /** One line without the ids of the call. */
  @Override
  public String toString() {
    String prefix = status == 0 ? "" : "HTTP " + status + " ";
    return prefix + (code.isEmpty() ? "" : code + ": ") + message;
  }
}
