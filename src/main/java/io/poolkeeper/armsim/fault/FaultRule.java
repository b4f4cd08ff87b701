package io.poolkeeper.armsim.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Fate;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * One way to misbehave. With a status, the request is answered by the rule and has no effect;
 * without one it is handled as usual, late, with a broken answer, in vain, or with an operation
 * that goes wrong.
 *
 * @param method empty: any
 * @param path found anywhere in the request's path, ignoring case
 * @param times how many requests it applies to; empty: all
 * @param probability that it applies to a request that it matches; empty: always
 * @param seed of its own stream of chances and delays; empty: its id
 * @param code of the error that is answered; empty: the usual one of the status
 * @param retryAfter the header's text, whatever it is; {@code date:+N} is the date N seconds ahead
 * @param lost an accepted write changes nothing
 * @param source the rule as it was given
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
    Reset reset,
    Optional<LroFault> lro,
    boolean lost,
    Optional<String> body,
    String contentType,
    JsonNode source) {

  /** What the text of {@code retryAfter} begins with if it means a date. */
  public static final String DATE = "date:+";

  /**
   * Reads a rule.
   *
   * @throws IllegalArgumentException if it is none; the message names the members and what is
   *     allowed
   */
  public static FaultRule parse(JsonNode json) {
    return FaultRuleJson.parse(json);
  }

  /** Whether it is about accepted writes, and so concerns no other request. */
  public boolean needsAcceptedWrite() {
    return lost || lro.isPresent();
  }

  /** What becomes of an accepted write. */
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
