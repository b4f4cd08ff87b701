package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks the body of a write: the common members of all resources must have their types, members
 * that only the server sets are dropped, and everything else is kept.
 */
final class Body {
  private static final Set<String> OWN = Set.of("id", "name", "type", "etag");
  private static final Set<String> STATE = Set.of("provisioningState", "resourceGuid");
  private static final int MAX_NAME = 260;
  private static final Pattern NAME = Pattern.compile("\\w(?:[\\w.\\-]{0,78}\\w)?");

  /** Properties that list the users of a resource, by the last part of its type. */
  private static final Map<String, String> BACK_REFERENCES =
      Map.of(
          "publicIPAddresses", "ipConfiguration",
          "subnets", "ipConfigurations",
          "networkInterfaces", "virtualMachine");

  private Body() {}

  /** A whole resource's document, in a tree of its own. */
  static ObjectNode whole(ResourceId id, JsonNode body) {
    if (Providers.isNetwork(id) ? !NAME.matcher(id.name()).matches() : !plain(id.name())) {
      throw Refusals.invalidName(id.name());
    }
    ObjectNode document = ArmJson.without(body, OWN).deepCopy();
    checkText(document, "location");
    checkObject(document, "sku");
    checkObject(document, "tags");
    document.path("tags").properties().forEach(tag -> checkTag(tag.getKey(), tag.getValue()));
    if (id.parent().isEmpty()
        && Providers.locates(id.namespace())
        && document.path("location").asText("").isBlank()) {
      throw Refusals.locationRequired();
    }
    ObjectNode properties = properties(id.types().getLast(), document);
    for (Embedded array : Embedded.of(id)) {
      if (properties.has(array.member())) {
        properties.set(array.member(), parts(id, array, properties.get(array.member())));
      }
    }
    return document;
  }

  /** One element of an embedded array, in a tree of its own. */
  static ObjectNode part(Embedded array, String name, JsonNode body) {
    checkName(name);
    ObjectNode part = ArmJson.MAPPER.createObjectNode().put("name", name);
    part.setAll(ArmJson.without(body, OWN).deepCopy());
    properties(array.member(), part);
    return part;
  }

  private static ArrayNode parts(ResourceId owner, Embedded array, JsonNode given) {
    if (!given.isArray()) {
      throw Refusals.wrongType(array.member(), "an array", given);
    }
    ArrayNode parts = ArmJson.MAPPER.createArrayNode();
    Set<String> names = new HashSet<>();
    for (JsonNode item : given) {
      if (!item.isObject()) {
        throw Refusals.wrongType(array.member(), "an array of objects", item);
      }
      String name = item.path("name").asText("");
      parts.add(part(array, name, item));
      if (!names.add(Names.fold(name))) {
        throw Refusals.duplicate(owner.path(), name);
      }
    }
    return parts;
  }

  private static ObjectNode properties(String type, ObjectNode document) {
    checkObject(document, "properties");
    ObjectNode properties = ArmJson.without(document.path("properties"), STATE);
    if (BACK_REFERENCES.containsKey(type)) {
      properties.remove(BACK_REFERENCES.get(type));
    }
    document.set("properties", properties);
    return properties;
  }

  private static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw Refusals.invalidName(name);
    }
  }

  /** Whether a name is valid for any provider and safe in an id. */
  private static boolean plain(String name) {
    return name.length() <= MAX_NAME
        && name.chars().noneMatch(c -> c < ' ' || "/?#%\\".indexOf(c) >= 0);
  }

  private static void checkText(ObjectNode document, String member) {
    JsonNode value = document.path(member);
    if (!value.isMissingNode() && !value.isTextual()) {
      throw Refusals.wrongType(member, "a string", value);
    }
  }

  private static void checkObject(ObjectNode document, String member) {
    JsonNode value = document.path(member);
    if (!value.isMissingNode() && !value.isObject()) {
      throw Refusals.wrongType(member, "an object", value);
    }
  }

  private static void checkTag(String name, JsonNode value) {
    if (!value.isTextual()) {
      throw Refusals.wrongType("tags." + name, "a string", value);
    }
  }

  /** The normal form of a location: "East US" is eastus. */
  static String place(String location) {
    return location.replace(" ", "").toLowerCase(Locale.ROOT);
  }

  /** Changes the target by a JSON merge patch: null removes, objects merge, the rest replaces. */
  static void merge(ObjectNode target, JsonNode patch) {
    for (var member : patch.properties()) {
      JsonNode value = member.getValue();
      if (value.isNull()) {
        target.remove(member.getKey());
      } else if (value.isObject() && target.path(member.getKey()) instanceof ObjectNode below) {
        merge(below, value);
      } else {
        target.set(member.getKey(), value.deepCopy());
      }
    }
  }
}
