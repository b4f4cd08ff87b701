package io.poolkeeper.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The members of a JSON object by name ignoring case; of equal names the last wins, as in the cloud
 * provider. {@code null} and the empty text mean unset; a wrong type is a problem.
 */
final class JsonFields {
  private final Map<String, JsonNode> members = new HashMap<>();
  private final String file;
  private final String prefix;
  private final List<Problem> problems;

  JsonFields(JsonNode object, String file, String prefix, List<Problem> problems) {
    this.file = file;
    this.prefix = prefix;
    this.problems = problems;
    object.properties().forEach(m -> members.put(fold(m.getKey()), m.getValue()));
  }

  Optional<String> text(String name) {
    return member(name, JsonNode::isTextual, "a text")
        .map(JsonNode::textValue)
        .filter(text -> !text.isBlank());
  }

  boolean flag(String name) {
    return optionalFlag(name).orElse(false);
  }

  Optional<Boolean> optionalFlag(String name) {
    return member(name, JsonNode::isBoolean, "true or false").map(JsonNode::booleanValue);
  }

  Optional<Long> integer(String name) {
    return member(name, n -> n.isIntegralNumber() && n.canConvertToLong(), "a whole number")
        .map(JsonNode::longValue);
  }

  List<JsonFields> objects(String name) {
    var objects = new ArrayList<JsonFields>();
    var array = member(name, JsonNode::isArray, "a list of objects");
    for (int i = 0; array.isPresent() && i < array.get().size(); i++) {
      var path = prefix + name + "[" + i + "]";
      if (array.get().get(i).isObject()) {
        objects.add(new JsonFields(array.get().get(i), file, path + ".", problems));
      } else {
        problems.add(new Problem(file, path, describe(array.get().get(i), name), "an object"));
      }
    }
    return objects;
  }

  void reject(String name, String found, String allowed) {
    problems.add(new Problem(file, prefix + name, found, allowed));
  }

  private Optional<JsonNode> member(String name, Predicate<JsonNode> type, String allowed) {
    var node = members.get(fold(name));
    if (node == null || node.isNull()) {
      return Optional.empty();
    }
    if (!type.test(node)) {
      reject(name, describe(node, name), allowed);
      return Optional.empty();
    }
    return Optional.of(node);
  }

  static String describe(JsonNode node, String name) {
    var kind = "a JSON " + node.getNodeType().name().toLowerCase(Locale.ROOT);
    boolean plain =
        node.getNodeType() == JsonNodeType.NUMBER || node.isBoolean() || node.isTextual();
    return plain && !fold(name).contains("secret") ? kind + " (" + node + ")" : kind;
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
