package io.poolkeeper.lab.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What the library does not do with objects as a real API server does it. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String DELETED = "deletionTimestamp";

  private Json() {}

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
