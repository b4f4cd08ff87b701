package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Checks the body of a write: the common members of all resources must have their types, members
 * that only the server sets are dropped, and everything else is kept.
 */
final class Body {
  private static final Set<String> OWN = Set.of("id", "name", "type", "etag");
  private static final Set<String> STATE = Set.of("provisioningState", "resourceGuid");
  private static final int MAX_NAME = 260;

  /** Properties that list the users of a resource, by the last part of its type. */
  private static final Map<String, String> BACK_REFERENCES =
      Map.of(
          "publicIPAddresses", "ipConfiguration",
          "subnets", "ipConfigurations",
          "networkInterfaces", "virtualMachine");

  private Body() {}

  /** A whole resource's document, in a tree of its own. */
  static ObjectNode whole(ResourceId id, JsonNode body) {
    if (id.ofNetwork()) {
      ResourceId.checkName(id.name());
    } else if (!plain(id.name())) {
      throw ArmError.INVALID_NAME.refused(id.name());
    }
    ObjectNode document = ArmJson.without(body, OWN).deepCopy();
    checkText("location", document.path("location"));
    checkObject("sku", document.path("sku"));
    checkObject("tags", document.path("tags"));
    document
        .path("tags")
        .properties()
        .forEach(tag -> checkText("tags." + tag.getKey(), tag.getValue()));
    if (id.parent().isEmpty()
        && Providers.locates(id.namespace())
        && document.path("location").asText("").isBlank()) {
      throw ArmError.LOCATION_REQUIRED.refused();
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
    ResourceId.checkName(name);
    ObjectNode part = ArmJson.MAPPER.createObjectNode().put("name", name);
    part.setAll(ArmJson.without(body, OWN).deepCopy());
    properties(array.member(), part);
    return part;
  }

  private static ArrayNode parts(ResourceId owner, Embedded array, JsonNode given) {
    ArrayNode parts = ArmJson.MAPPER.createArrayNode();
    Set<String> names = new HashSet<>();
    for (JsonNode item : ArmJson.objects(array.member(), given)) {
      String name = item.path("name").asText("");
      parts.add(part(array, name, item));
      if (!names.add(Names.fold(name))) {
        throw ArmError.DUPLICATE_NAME.refused(owner.path(), name);
      }
    }
    return parts;
  }

  private static ObjectNode properties(String type, ObjectNode document) {
    checkObject("properties", document.path("properties"));
    ObjectNode properties = ArmJson.without(document.path("properties"), STATE);
    if (BACK_REFERENCES.containsKey(type)) {
      properties.remove(BACK_REFERENCES.get(type));
    }
    document.set("properties", properties);
    return properties;
  }

  /** Whether a name is valid for any provider and safe in an id. */
  private static boolean plain(String name) {
    return name.length() <= MAX_NAME
        && name.chars().noneMatch(c -> c < ' ' || "/?#%\\".indexOf(c) >= 0);
  }

  private static void checkText(String path, JsonNode value) {
    check(value.isTextual(), path, "a string", value);
  }

  private static void checkObject(String member, JsonNode value) {
    check(value.isObject(), member, "an object", value);
  }

  private static void check(boolean fits, String path, String wanted, JsonNode value) {
    if (!fits && !value.isMissingNode()) {
      throw ArmError.WRONG_TYPE.refused(path, wanted, value.getNodeType());
    }
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
