package io.poolkeeper.lab.armsim.fault;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * One way to misbehave. With a status, the request is answered by the rule and has no effect;
 * without one it is handled as usual, late or with a broken answer.
 *
 * @param method empty: any
 * @param path found anywhere in the request's path, ignoring case
 * @param times how many requests it applies to; empty: all
 * @param retryAfter the header's text, whatever it is
 * @param reset the connection closes in the middle of the answer's body
 */
public record FaultRule(
    Optional<String> method,
    Pattern path,
    OptionalLong times,
    OptionalInt status,
    String code,
    Optional<String> retryAfter,
    Duration delay,
    boolean reset,
    Optional<String> body,
    String contentType) {

  private static final Duration MAX_DELAY = Duration.ofMinutes(10);
  private static final String JSON = "application/json; charset=utf-8";
  private static final Set<String> MEMBERS =
      Set.of(
          "method",
          "path",
          "times",
          "status",
          "code",
          "retryAfter",
          "delayMillis",
          "reset",
          "body",
          "contentType");

  /**
   * Reads a rule.
   *
   * @throws IllegalArgumentException if it is none; the message names the member and what is
   *     allowed
   */
  public static FaultRule parse(JsonNode json) {
    if (!json.isObject()) {
      throw new IllegalArgumentException(
          "a fault rule is a JSON object, found " + json.getNodeType());
    }
    json.fieldNames().forEachRemaining(FaultRule::checkKnown);
    OptionalLong status = number(json, "status", 200, 599);
    OptionalLong delay = number(json, "delayMillis", 0, MAX_DELAY.toMillis());
    boolean reset = json.path("reset").asBoolean(false);
    if (status.isEmpty() && delay.isEmpty() && !reset) {
      throw new IllegalArgumentException("a fault rule needs one of status, delayMillis, reset");
    }
    if (status.isEmpty() && (json.has("body") || json.has("code") || json.has("retryAfter"))) {
      throw new IllegalArgumentException("body, code and retryAfter need a status");
    }
    return new FaultRule(
        text(json, "method"),
        pattern(text(json, "path").orElse("")),
        number(json, "times", 1, Long.MAX_VALUE),
        status.isPresent() ? OptionalInt.of((int) status.getAsLong()) : OptionalInt.empty(),
        text(json, "code").orElse("InjectedFault"),
        text(json, "retryAfter"),
        Duration.ofMillis(delay.orElse(0)),
        reset,
        text(json, "body"),
        text(json, "contentType").orElse(JSON));
  }

  boolean matches(String requestMethod, String requestPath) {
    return method.stream().allMatch(wanted -> wanted.equalsIgnoreCase(requestMethod))
        && path.matcher(requestPath).find();
  }

  private static void checkKnown(String member) {
    if (!MEMBERS.contains(member)) {
      throw new IllegalArgumentException(
          "fault rule: unknown member '%s'; allowed are %s"
              .formatted(member, new TreeSet<>(MEMBERS)));
    }
  }

  private static Pattern pattern(String path) {
    try {
      return Pattern.compile(path, Pattern.CASE_INSENSITIVE);
    } catch (PatternSyntaxException wrong) {
      throw new IllegalArgumentException(
          "fault rule: path '%s' is no regular expression: %s"
              .formatted(path, wrong.getDescription()),
          wrong);
    }
  }

  private static Optional<String> text(JsonNode json, String member) {
    JsonNode value = json.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isValueNode()) {
      throw new IllegalArgumentException(
          "fault rule: %s must be a text, found %s".formatted(member, value.getNodeType()));
    }
    return Optional.of(value.asText());
  }

  private static OptionalLong number(JsonNode json, String member, long min, long max) {
    JsonNode value = json.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return OptionalLong.empty();
    }
    if (!value.canConvertToExactIntegral() || value.asLong() < min || value.asLong() > max) {
      throw new IllegalArgumentException(
          "fault rule: %s must be a whole number from %d to %d, found %s"
              .formatted(member, min, max, value));
    }
    return OptionalLong.of(value.asLong());
  }
}
