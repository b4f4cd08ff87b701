package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Reads a JSON object of the simulator's own routes strictly. Collects all errors; {@link #done}
 * reports them together. A member that was never read is unknown; null counts as missing.
 */
public final class Members {
  private final String subject;
  private final String prefix;
  private final JsonNode object;
  private final List<String> errors;
  private final TreeSet<String> known = new TreeSet<>();

  private Members(String subject, String prefix, JsonNode object, List<String> errors) {
    this.subject = subject;
    this.prefix = prefix;
    this.object = object;
    this.errors = errors;
  }

  /**
   * Begins to read; {@code subject} names the object in messages. @throws IllegalArgumentException
   * if it is not an object
   */
  public static Members of(String subject, JsonNode json) {
    if (!json.isObject()) {
      throw new IllegalArgumentException(
          "a %s is a JSON object, found %s".formatted(subject, json.getNodeType()));
    }
    return new Members(subject, "", json, new ArrayList<>());
  }

  public boolean has(String member) {
    return object.hasNonNull(member);
  }

  /** A nested object; its errors are reported with this one's. */
  public Optional<Members> object(String member) {
    return value(member)
        .filter(value -> expect(value.isObject(), member, "an object", value))
        .map(value -> new Members(subject, prefix + member + ".", value, errors));
  }

  /** A text; numbers are accepted as written. */
  public Optional<String> text(String member) {
    return value(member)
        .filter(value -> expect(value.isTextual() || value.isNumber(), member, "a text", value))
        .map(JsonNode::asText);
  }

  /** One of the given words, ignoring case; true and false may be among them. */
  public Optional<String> word(String member, List<String> allowed) {
    return value(member)
        .filter(
            value ->
                expect(
                    value.isValueNode()
                        && allowed.stream().anyMatch(value.asText()::equalsIgnoreCase),
                    member,
                    "one of " + String.join(", ", allowed),
                    value))
        .map(value -> value.asText().toLowerCase(Locale.ROOT));
  }

  /** One of the constants of an enum, ignoring case. */
  public <E extends Enum<E>> Optional<E> choice(String member, Class<E> choices) {
    List<String> words =
        Arrays.stream(choices.getEnumConstants())
            .map(choice -> choice.name().toLowerCase(Locale.ROOT))
            .toList();
    return word(member, words).map(word -> Enum.valueOf(choices, word.toUpperCase(Locale.ROOT)));
  }

  public Optional<Boolean> flag(String member) {
    return value(member)
        .filter(value -> expect(value.isBoolean(), member, "true or false", value))
        .map(JsonNode::booleanValue);
  }

  public OptionalLong whole(String member, long min, long max) {
    String wanted = "a whole number from %d to %d".formatted(min, max);
    return value(member)
        .filter(found -> expect(isWhole(found, min, max), member, wanted, found))
        .map(found -> OptionalLong.of(found.longValue()))
        .orElse(OptionalLong.empty());
  }

  private static boolean isWhole(JsonNode found, long min, long max) {
    return found.isNumber()
        && found.canConvertToExactIntegral()
        && found.canConvertToLong()
        && found.longValue() >= min
        && found.longValue() <= max;
  }

  public OptionalInt number(String member, int min, int max) {
    OptionalLong value = whole(member, min, max);
    return value.isPresent() ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
  }

  /** A number within the bounds, with or without a fraction. */
  public OptionalDouble decimal(String member, double min, double max) {
    String wanted = "a number from %s to %s".formatted(min, max);
    return value(member)
        .filter(
            found ->
                expect(
                    found.isNumber() && found.doubleValue() >= min && found.doubleValue() <= max,
                    member,
                    wanted,
                    found))
        .map(found -> OptionalDouble.of(found.doubleValue()))
        .orElse(OptionalDouble.empty());
  }

  /** Reports an error that concerns more than one member. */
  public void require(boolean fulfilled, String otherwise) {
    if (!fulfilled) {
      String place = prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1) + ": ";
      errors.add(place + otherwise);
    }
  }

  /** Reports unknown members; call it after all members were read. */
  public void checkUnknown() {
    object
        .fieldNames()
        .forEachRemaining(
            member -> {
              if (!known.contains(member)) {
                errors.add("unknown member '%s'; allowed are %s".formatted(prefix + member, known));
              }
            });
  }

  /**
   * Ends the reading.
   *
   * @throws IllegalArgumentException with all errors in the message
   */
  public void done() {
    checkUnknown();
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(subject + ": " + String.join("; ", errors));
    }
  }

  private Optional<JsonNode> value(String member) {
    known.add(member);
    return has(member) ? Optional.of(object.get(member)) : Optional.empty();
  }

  private boolean expect(boolean fits, String member, String wanted, JsonNode found) {
    if (!fits) {
      errors.add("%s%s must be %s, found %s".formatted(prefix, member, wanted, shown(found)));
    }
    return fits;
  }

  private static String shown(JsonNode found) {
    return found.isContainerNode() ? found.getNodeType().toString() : found.toString();
  }
}
