package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.model.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

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
    return value(member, "an object", JsonNode::isObject)
        .map(value -> new Members(subject, prefix + member + ".", value, errors));
  }

  /** A text; numbers are accepted as written. */
  public Optional<String> text(String member) {
    return value(member, "a text", value -> value.isTextual() || value.isNumber())
        .map(JsonNode::asText);
  }

  /** One of the given words, ignoring case; true and false may be among them. */
  public Optional<String> word(String member, List<String> allowed) {
    return value(
            member,
            "one of " + String.join(", ", allowed),
            value ->
                value.isValueNode() && allowed.stream().anyMatch(value.asText()::equalsIgnoreCase))
        .map(value -> value.asText().toLowerCase(Locale.ROOT));
  }

  public <E extends Enum<E>> Optional<E> choice(String member, Class<E> choices) {
    return word(member, words(choices)).map(word -> one(choices, word));
  }

  /** A list of such words, in the order of their constants; each wrong one is an error. */
  public <E extends Enum<E>> Optional<Set<E>> choices(String member, Class<E> choices) {
    List<String> words = words(choices);
    return value(member, "a list of words", JsonNode::isArray)
        .map(
            list -> {
              Set<E> chosen = EnumSet.noneOf(choices);
              for (JsonNode item : list) {
                String word = item.asText().toLowerCase(Locale.ROOT);
                if (words.contains(word)) {
                  chosen.add(one(choices, word));
                } else {
                  wrong(member, "a list of " + String.join(", ", words), item);
                }
              }
              return Collections.unmodifiableSet(chosen);
            });
  }

  /** The word for a constant: in lower case, with hyphens. */
  public static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <E extends Enum<E>> List<String> words(Class<E> choices) {
    return Arrays.stream(choices.getEnumConstants()).map(Members::word).toList();
  }

  private static <E extends Enum<E>> E one(Class<E> choices, String word) {
    return Enum.valueOf(choices, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  public Optional<Boolean> flag(String member) {
    return value(member, "true or false", JsonNode::isBoolean).map(JsonNode::booleanValue);
  }

  public Optional<Long> whole(String member, long min, long max) {
    return value(
            member,
            "a whole number from %d to %d".formatted(min, max),
            found ->
                found.isNumber()
                    && found.canConvertToExactIntegral()
                    && found.canConvertToLong()
                    && found.longValue() >= min
                    && found.longValue() <= max)
        .map(JsonNode::longValue);
  }

  public Optional<Integer> number(String member, Range<Integer> range) {
    return whole(member, range.min(), range.max()).map(Long::intValue);
  }

  public Optional<Double> decimal(String member, double min, double max) {
    return value(
            member,
            "a number from %s to %s".formatted(min, max),
            found -> found.isNumber() && found.doubleValue() >= min && found.doubleValue() <= max)
        .map(JsonNode::doubleValue);
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

  /** Ends the reading; an exception has all errors in its message. */
  public void done() {
    checkUnknown();
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(subject + ": " + String.join("; ", errors));
    }
  }

  private Optional<JsonNode> value(String member, String wanted, Predicate<JsonNode> fits) {
    known.add(member);
    if (!has(member)) {
      return Optional.empty();
    }
    JsonNode found = object.get(member);
    if (fits.test(found)) {
      return Optional.of(found);
    }
    wrong(member, wanted, found);
    return Optional.empty();
  }

  private void wrong(String member, String wanted, JsonNode found) {
    String shown = found.isContainerNode() ? found.getNodeType().toString() : found.toString();
    errors.add("%s%s must be %s, found %s".formatted(prefix, member, wanted, shown));
  }
}
