package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.util.List;
import java.util.Set;

/**
 * Renders resources for a GET: with id, etag, type, state and users. The trees share parts with the
 * documents and are not changed afterwards. For one call only.
 */
final class Views {
  private static final Set<String> PLACED = Set.of("name", "location", "tags", "properties");

  private final Users users;

  Views(Users users) {
    this.users = users;
  }

  ObjectNode whole(Resource resource) {
    // As recorded, a public address has its type after its properties.
    boolean address = resource.id().type().equals(PublicAddress.TYPE);
    ObjectNode document = resource.document();
    ObjectNode out = ArmJson.MAPPER.createObjectNode();
    out.put("name", document.path("name").asText(resource.id().name()));
    out.put("id", resource.id().path()).put("etag", resource.etag());
    if (!address) {
      out.put("type", resource.id().type());
    }
    ArmJson.copy(document, out, List.of("location", "tags"));
    out.set("properties", properties(resource));
    if (address) {
      out.put("type", resource.id().type());
    }
    out.setAll(ArmJson.without(document, PLACED));
    return out;
  }

  ObjectNode part(Resource owner, Embedded array, JsonNode element) {
    String name = element.path("name").asText();
    String id = owner.id().path() + "/" + array.member() + "/" + name;
    ObjectNode out = ArmJson.MAPPER.createObjectNode();
    out.put("name", name).put("id", id).put("etag", owner.etag());
    ObjectNode properties = out.putObject("properties").put("provisioningState", owner.state());
    element.path("properties").properties().forEach(m -> properties.set(m.getKey(), m.getValue()));
    List<String> configurations = users.of(id);
    if (array == Embedded.SUBNETS && !configurations.isEmpty()) {
      ArrayNode references = properties.putArray("ipConfigurations");
      configurations.forEach(configuration -> references.addObject().put("id", configuration));
    }
    out.put("type", owner.id().type() + "/" + array.member());
    out.setAll(ArmJson.without(element, Set.of("name", "properties")));
    return out;
  }

  private ObjectNode properties(Resource resource) {
    ObjectNode out = ArmJson.MAPPER.createObjectNode();
    out.put("provisioningState", resource.state());
    if (Providers.isNetwork(resource.id())) {
      out.put("resourceGuid", resource.guid());
    }
    resource.properties().properties().forEach(m -> out.set(m.getKey(), m.getValue()));
    for (Embedded array : Embedded.of(resource.id())) {
      if (out.has(array.member())) {
        ArrayNode parts = out.putArray(array.member());
        resource.array(array).forEach(element -> parts.add(part(resource, array, element)));
      }
    }
    List<String> user = users.of(resource.id().path());
    if (!user.isEmpty() && users.kind() != Users.Kind.SUBNET) {
      String member = users.kind() == Users.Kind.ADDRESS ? "ipConfiguration" : "virtualMachine";
      out.putObject(member).put("id", user.getLast());
    }
    return out;
  }
}
