package io.poolkeeper.arm.azure;

import com.azure.core.exception.ClientAuthenticationException;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.RequestIds;
import io.poolkeeper.model.Truncated;
import java.util.Optional;
import java.util.regex.Pattern;
import reactor.core.Exceptions;

/**
 * Turns each error of a call into an {@link ArmException}, the one exception of the ports. Messages
 * are one bounded line; the query of a URL is cut off, because it holds ARM's signature.
 */
final class Failures {
  static final int MAX_CAUSES = 20;

  /** Azure names up to three ids of up to 300 characters, the last one at the end. */
  private static final int MAX_LINE = 900;

  private static final String END_UNKNOWN = "how the write ended is not known: ";
  private static final Pattern QUERY = Pattern.compile("(https?://[^\\s?\"']+)\\?[^\\s\"']+");
  private static final Pattern BREAKS = Pattern.compile("[\\s\\p{Cntrl}]+");

  private Failures() {}

  /** ARM answered with an error status. */
  static ArmException response(Answer answer) {
    ErrorBody error = ErrorBody.of(answer);
    return new ArmException(
        new ArmFailure(
                Kind.RESPONSE,
                answer.status(),
                error.code(),
                line(error.message()),
                answer.notBefore())
            .with(answer.ids()));
  }

  /** A PUT failed after a try of it that may have been taken. */
  static ArmException inDoubt(Throwable failed) {
    return new ArmException(of(failed).failure().afterDoubtfulTry(), failed);
  }

  /** The PUT was accepted, but its operation failed or was cancelled. */
  static ArmException operation(String status, ErrorBody error, RequestIds ids) {
    String message = "the accepted write ended as %s: %s".formatted(status, error.message());
    String code = error.code().isEmpty() ? status : error.code();
    Kind kind = status.equalsIgnoreCase(OperationPoll.CANCELED) ? Kind.CANCELED : Kind.OPERATION;
    return new ArmException(new ArmFailure(kind, 0, code, line(message)).with(ids));
  }

  /** The PUT was accepted, and its end is unknown. */
  static ArmException unresolved(String why) {
    return new ArmException(new ArmFailure(Kind.UNRESOLVED, 0, "", line(END_UNKNOWN + why)));
  }

  /** The same, after a call that failed in following the operation. */
  static ArmException unresolved(Throwable cause) {
    ArmException known = of(cause);
    ArmFailure failure = known.failure();
    if (failure.kind() == Kind.UNRESOLVED) {
      return known;
    }
    return new ArmException(
        new ArmFailure(
                Kind.UNRESOLVED,
                failure.status(),
                failure.code(),
                line(END_UNKNOWN + failure.message()),
                // After other failures a fresh read soon shows how the write ended.
                failure.retryAfter().filter(throttled -> failure.kind() == Kind.THROTTLED))
            .with(failure.ids()),
        cause);
  }

  /** An answer has a URL that is not at the endpoint. */
  static ArmException foreign(String kind, String origin) {
    String text = " is not followed to another host: " + origin;
    return kind.equals(ArmCalls.POLL)
        ? unresolved("its operation" + text)
        : Json.malformed("nextLink" + text);
  }

  static ArmException authentication(Throwable cause) {
    return new ArmException(
        new ArmFailure(Kind.AUTHENTICATION, 0, "", line("no token: " + text(cause))), cause);
  }

  /** The call was given up because the adapter was closed. */
  static ArmException shutdown(Throwable cause) {
    return new ArmException(new ArmFailure(Kind.SHUTDOWN, 0, "", "the program ends"), cause);
  }

  /** The failure of a call; {@link ArmException}s are passed on as they are. */
  static ArmException of(Throwable wrapped) {
    Throwable cause = Exceptions.unwrap(wrapped);
    if (cause instanceof ArmException known) {
      return known;
    }
    if (cause instanceof ClientAuthenticationException) {
      return authentication(cause);
    }
    Optional<ConnectionFailure> connection = ConnectionFailure.of(cause);
    Kind kind = connection.map(ConnectionFailure::kind).orElse(Kind.OTHER);
    String message = connection.map(known -> known.text(cause)).orElseGet(() -> text(cause));
    return new ArmException(new ArmFailure(kind, 0, "", line(message)), cause);
  }

  /** The innermost cause of a failure. */
  static Throwable root(Throwable failure) {
    Throwable root = failure;
    for (int depth = 0; root.getCause() != null && depth < MAX_CAUSES; depth++) {
      root = root.getCause();
    }
    return root;
  }

  static String text(Throwable cause) {
    String name = cause.getClass().getSimpleName();
    return cause.getMessage() == null ? name : name + ": " + cause.getMessage();
  }

  /** A text as one line of bounded length without the queries of URLs. */
  static String line(String text) {
    return line(text, MAX_LINE);
  }

  static String line(String text, int maxLength) {
    String flat = BREAKS.matcher(text).replaceAll(" ").trim();
    String clean = QUERY.matcher(flat).replaceAll("$1");
    return Truncated.to(maxLength, clean, "...");
  }
}
