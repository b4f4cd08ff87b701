package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.GroupId;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * A resource group: it exists once it was PUT.
 *
 * @param others members that the client wrote and the model does not know, such as tags
 */
record ResourceGroup(GroupId id, String location, ObjectNode others) {
  private static final Set<String> OWN = Set.of("id", "name", "type", "location", "properties");

  /** This group with the tags in a body, if it has any. */
  ResourceGroup patched(JsonNode body) {
    ObjectNode next = others.deepCopy();
    ArmJson.copy(body, next, List.of("tags"));
    return new ResourceGroup(id, location, next);
  }

  static ResourceGroup parse(GroupId id, JsonNode body) {
    return new ResourceGroup(id, Child.location(body), ArmJson.without(body, OWN));
  }

  /** Writes it at rest. */
  void write(JsonGenerator out) throws IOException {
    write(out, false);
  }

  void write(JsonGenerator out, boolean deleting) throws IOException {
    out.writeStartObject();
    out.writeStringField("id", id.path());
    out.writeStringField("name", id.name());
    out.writeStringField("type", "Microsoft.Resources/resourceGroups");
    out.writeStringField("location", location);
    ArmJson.members(out, others);
    out.writeObjectFieldStart("properties");
    out.writeStringField("provisioningState", deleting ? "Deleting" : "Succeeded");
    out.writeEndObject();
    out.writeEndObject();
  }
}
