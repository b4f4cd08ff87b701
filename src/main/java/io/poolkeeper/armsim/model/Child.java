package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A named part of a document (pool entry, rule, probe, frontend, pool) as the client wrote it:
 * without the members that only the server sets, in the server's order. Its trees are never
 * changed.
 *
 * @param others members beside {@code properties} that the model does not know
 */
record Child(String name, ObjectNode properties, ObjectNode others) {
  private static final Set<String> OWN = Set.of("name", "id", "etag", "type", "properties");

  /** Reads one part; {@code readOnly} properties are dropped, {@code first} ones lead. */
  static Child parse(String name, JsonNode body, Set<String> readOnly, List<String> first) {
    ResourceId.checkName(name);
    JsonNode given = body.path("properties");
    Shape.OBJECT.require("properties", given);
    Shape.ARRAY.require("zones", body.path("zones"));
    ObjectNode properties = ArmJson.without(given, readOnly);
    Shape.check(properties);
    ObjectNode ordered = ArmJson.MAPPER.createObjectNode();
    first.stream()
        .filter(properties::has)
        .forEach(member -> ordered.set(member, properties.get(member)));
    properties
        .properties()
        .forEach(member -> ordered.putIfAbsent(member.getKey(), member.getValue()));
    return new Child(name, ordered, ArmJson.without(body, OWN));
  }

  /** Reads an array of parts whose names must be valid and differ. */
  static List<Child> parseAll(
      String parent, String member, JsonNode array, Set<String> readOnly, List<String> first) {
    List<Child> children = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode item : ArmJson.objects(member, array)) {
      Child child = parse(name(item), item, readOnly, first);
      if (!names.add(Names.fold(child.name))) {
        throw ArmError.DUPLICATE_NAME.refused(parent, child.name);
      }
      children.add(child);
    }
    return List.copyOf(children);
  }

  /** The name in a part; empty if it has none. */
  static String name(JsonNode part) {
    Shape.TEXT.require("name", part.path("name"));
    return part.path("name").textValue() == null ? "" : part.path("name").textValue();
  }

  static String location(JsonNode body) {
    Shape.TEXT.require("location", body.path("location"));
    String location = body.path("location").asText("");
    if (location.isBlank()) {
      throw ArmError.LOCATION_REQUIRED.refused();
    }
    return location;
  }

  /** A property that is a text and not empty. */
  Optional<String> text(String property) {
    return Optional.of(properties.path(property).asText("")).filter(text -> !text.isEmpty());
  }

  /** Writes name, id and etag, the first members of every part. */
  static void head(JsonGenerator out, String name, String id, String etag) throws IOException {
    out.writeStringField("name", name);
    out.writeStringField("id", id);
    out.writeStringField("etag", etag);
  }

  /** Writes the properties, led by the state. Leaves the object open for derived members. */
  void openProperties(JsonGenerator out, String state) throws IOException {
    out.writeObjectFieldStart("properties");
    out.writeStringField("provisioningState", state);
    ArmJson.members(out, properties);
  }
}
