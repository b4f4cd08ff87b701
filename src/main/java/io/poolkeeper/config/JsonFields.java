package io.poolkeeper.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The members of a JSON object by name ignoring case; of equal names the last wins, as in the cloud
 * provider. {@code null} and the empty text mean unset; a wrong type is a problem.
 *
 * @param prefix of the paths of its members
 */
record JsonFields(JsonNode object, String file, String prefix, List<Problem> problems) {
  Optional<String> text(String name) {
    return member(name, JsonNode::isTextual, "a text")
        .map(JsonNode::textValue)
        .filter(text -> !text.isBlank());
  }

  Optional<Boolean> flag(String name) {
    return member(name, JsonNode::isBoolean, "true or false").map(JsonNode::booleanValue);
  }

  Optional<Long> integer(String name) {
    Predicate<JsonNode> type = node -> node.isIntegralNumber() && node.canConvertToLong();
    return member(name, type, "a whole number").map(JsonNode::longValue);
  }

  List<JsonFields> objects(String name) {
    var objects = new ArrayList<JsonFields>();
    var list = member(name, JsonNode::isArray, "a list of objects");
    for (int index = 0; list.isPresent() && index < list.get().size(); index++) {
      var element = list.get().get(index);
      var path = "%s%s[%d]".formatted(prefix, name, index);
      if (element.isObject()) {
        objects.add(new JsonFields(element, file, path + ".", problems));
      } else {
        problems.add(new Problem(file, path, describe(element, name), "an object"));
      }
    }
    return objects;
  }

  /** A member of any type. */
  Optional<JsonNode> node(String name) {
    return member(name, node -> true, "anything");
  }

  void reject(String name, String found, String allowed) {
    problems.add(new Problem(file, prefix + name, found, allowed));
  }

  private Optional<JsonNode> member(String name, Predicate<JsonNode> type, String allowed) {
    var node =
        object.properties().stream()
            .filter(member -> member.getKey().equalsIgnoreCase(name))
            .reduce((first, last) -> last)
            .map(Map.Entry::getValue)
            .filter(value -> !value.isNull());
    if (node.isPresent() && !type.test(node.get())) {
      reject(name, describe(node.get(), name), allowed);
      return Optional.empty();
    }
    return node;
  }

  /** The type and the value of a member; without the value if its name says that it is a secret. */
  static String describe(JsonNode node, String name) {
    var kind = "a JSON " + node.getNodeType().name().toLowerCase(Locale.ROOT);
    boolean plain = node.isNumber() || node.isBoolean() || node.isTextual();
    boolean secret = name.toLowerCase(Locale.ROOT).contains("secret");
    return plain && !secret ? kind + " (" + node + ")" : kind;
  }
}
