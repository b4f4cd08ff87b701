package io.poolkeeper.retry;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * Says of every error what it means for the attempt that met it (spec 1, Error Classification;
 * docs/topics/multislb.md, "What is tried again").
 *
 * <p>Statuses that the call itself has repeated already (408, 500, 502, 503, 504) are terminal: a
 * second layer of retries would multiply the first.
 */
public final class ErrorClassifier {
  private static final int NOT_FOUND = 404;
  static final int CONFLICT = 409;
  static final int PRECONDITION_FAILED = 412;

  /** How many errors of one tangle of causes are looked at. */
  private static final int MAX_ERRORS = 100;

  /** Codes with which an accepted operation fails because of another one, not of its own. */
  private static final List<String> CONFLICTS =
      List.of(
          "AnotherOperationInProgress",
          "Canceled",
          "Conflict",
          "OperationPreempted",
          "PreconditionFailed",
          "RetryableError",
          "TooManyRequests");

  private ErrorClassifier() {}

  /** The verdict on a failed attempt. */
  public static Verdict verdict(ArmFailure failure) {
    return switch (failure.kind()) {
      case RESPONSE ->
          switch (failure.status()) {
            case NOT_FOUND -> Verdict.STALE;
            case CONFLICT, PRECONDITION_FAILED -> Verdict.RETRIABLE;
            default -> Verdict.TERMINAL;
          };
      case OPERATION ->
          CONFLICTS.stream().anyMatch(code -> startsWith(failure.code(), code))
              ? Verdict.RETRIABLE
              : Verdict.TERMINAL;
      case THROTTLED, TRANSPORT, CANCELED, UNRESOLVED -> Verdict.RETRIABLE;
      case UNTRUSTED, MALFORMED, AUTHENTICATION, OTHER -> Verdict.TERMINAL;
      case SHUTDOWN -> Verdict.SHUTDOWN;
    };
  }

  /**
   * What an error says, looked for through causes and suppressed errors, breadth first: the first
   * {@link ArmException} tells, then a cancellation; anything else is of kind {@code OTHER}.
   */
  public static ArmFailure failure(Throwable error) {
    Optional<ArmFailure> known = Optional.empty();
    boolean cancelled = false;
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> next = new ArrayDeque<>(List.of(error));
    while (known.isEmpty() && !next.isEmpty() && seen.size() < MAX_ERRORS) {
      Throwable one = next.removeFirst();
      if (!seen.add(one)) {
        continue;
      }
      known = one instanceof ArmException arm ? Optional.of(arm.failure()) : Optional.empty();
      cancelled |= one instanceof CancellationException;
      Optional.ofNullable(one.getCause()).ifPresent(next::addLast);
      next.addAll(Arrays.asList(one.getSuppressed()));
    }
    Kind otherwise = cancelled ? Kind.SHUTDOWN : Kind.OTHER;
    return known.orElseGet(() -> new ArmFailure(otherwise, 0, "", error.toString()));
  }

  private static boolean startsWith(String code, String prefix) {
    return code.regionMatches(true, 0, prefix, 0, prefix.length());
  }
}
