package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.GroupId;
import java.util.List;
import java.util.Set;

/**
 * A resource group: it exists once it was PUT.
 *
 * @param others members that the client wrote and the model does not know, such as tags
 */
record ResourceGroup(GroupId id, String location, ObjectNode others) {
  private static final Set<String> OWN = Set.of("id", "name", "type", "location", "properties");

  ResourceGroup patched(JsonNode body) {
    ObjectNode next = others.deepCopy();
    ArmJson.copy(body, next, List.of("tags"));
    return new ResourceGroup(id, location, next);
  }

  static ResourceGroup parse(GroupId id, JsonNode body) {
    return new ResourceGroup(id, BalancerDocument.location(body), ArmJson.without(body, OWN));
  }

  ObjectNode json(boolean deleting) {
    ObjectNode json = ArmJson.MAPPER.createObjectNode();
    json.put("id", id.path()).put("name", id.name());
    json.put("type", "Microsoft.Resources/resourceGroups").put("location", location);
    json.setAll(others);
    json.putObject("properties").put("provisioningState", deleting ? "Deleting" : "Succeeded");
    return json;
  }
}
