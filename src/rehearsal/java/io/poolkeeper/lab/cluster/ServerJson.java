package io.poolkeeper.lab.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/** What the library does not do with objects as a real API server does it. */
final class ServerJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String DELETED = "deletionTimestamp";

  private static final Pattern COUNTED =
      Pattern.compile("(?<=\"uid\":\")00000000-0000-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private ServerJson() {}

  /**
   * The text with other UIDs: the library counts them, and names in Azure contain only the
   * beginning of a UID. The same count always gives the same UID.
   */
  static String spread(String json) {
    return COUNTED
        .matcher(json)
        .replaceAll(
            counted ->
                UUID.nameUUIDFromBytes(counted.group().getBytes(StandardCharsets.UTF_8))
                    .toString());
  }

  static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException malformed) {
      throw new IllegalArgumentException(malformed);
    }
  }

  /** RFC 7386: a list replaces a list, and what is null is removed. */
  static JsonNode merge(JsonNode base, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch;
    }
    ObjectNode merged =
        base instanceof ObjectNode object
            ? object.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    changes
        .properties()
        .forEach(
            change -> {
              if (change.getValue().isNull()) {
                merged.remove(change.getKey());
              } else {
                merged.set(change.getKey(), merge(merged.path(change.getKey()), change.getValue()));
              }
            });
    return merged;
  }

  /**
   * A strategic merge patch as a merge patch of what is there: of lists, only conditions are merged
   * by element; its hints for the order of lists are left out.
   */
  static JsonNode plain(JsonNode base, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch;
    }
    ObjectNode plain = JsonNodeFactory.instance.objectNode();
    for (var change : changes.properties()) {
      String name = change.getKey();
      JsonNode there = base.path(name);
      if (name.equals("conditions")) {
        Map<String, JsonNode> all = new LinkedHashMap<>();
        there.forEach(one -> all.put(one.path("type").asText(), one));
        change
            .getValue()
            .forEach(one -> all.merge(one.path("type").asText(), one, ServerJson::merge));
        all.values().forEach(plain.withArray(name)::add);
      } else if (!name.startsWith("$")) {
        plain.set(name, plain(there, change.getValue()));
      }
    }
    return plain;
  }

  /** The object with its generation raised, as when it is to be deleted but has finalizers. */
  static String raised(String object) {
    JsonNode raised = parse(object);
    ObjectNode metadata = (ObjectNode) raised.path("metadata");
    metadata.put("generation", metadata.path("generation").asLong() + 1);
    return raised.toString();
  }

  static boolean isMarked(String object) {
    return object.contains(DELETED) && parse(object).path("metadata").hasNonNull(DELETED);
  }
}
