package io.poolkeeper.armsim.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Fate;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * One fault. With a status, the rule answers the request, which has no effect; without one the
 * request is handled, but late, with a broken answer, without a change, or with an operation that
 * fails.
 *
 * @param method empty: any
 * @param path found anywhere in the request's path, ignoring case
 * @param times how many requests it applies to; empty: all
 * @param probability that it applies to a request that it matches; empty: always
 * @param seed of the rule's own random stream; empty: its id
 * @param code of the error that is answered; empty: the usual one of the status
 * @param retryAfter the header's text, any text; {@code date:+N} is the date N seconds ahead
 * @param withheld how much later than it is handled the request is answered
 * @param lost an accepted write changes nothing
 * @param source the rule's original JSON
 */
public record FaultRule(
    Optional<String> method,
    Pattern path,
    OptionalLong times,
    OptionalDouble probability,
    OptionalLong seed,
    OptionalInt status,
    Optional<String> code,
    Optional<String> retryAfter,
    Delay delay,
    Duration withheld,
    Reset reset,
    Optional<LroFault> lro,
    boolean lost,
    Optional<String> body,
    String contentType,
    JsonNode source) {

  /** The prefix of a {@code retryAfter} that is a date. */
  public static final String DATE = "date:+";

  /**
   * Reads a rule.
   *
   * @throws IllegalArgumentException if it is not a rule; the message names the wrong members and
   *     the values allowed
   */
  public static FaultRule parse(JsonNode json) {
    return FaultRuleJson.parse(json);
  }

  /** Whether it applies to accepted writes only. */
  public boolean needsAcceptedWrite() {
    return lost || lro.isPresent();
  }

  public Fate fate() {
    return lost ? Fate.LOST : lro.map(LroFault::fate).orElse(Fate.APPLIED);
  }

  boolean matches(String requestMethod, String requestPath) {
    return method.stream().allMatch(wanted -> wanted.equalsIgnoreCase(requestMethod))
        && (!needsAcceptedWrite() || writes(requestMethod))
        && path.matcher(requestPath).find();
  }

  static boolean writes(String method) {
    return switch (method.toUpperCase(Locale.ROOT)) {
      case "PUT", "DELETE" -> true;
      default -> false;
    };
  }
}
