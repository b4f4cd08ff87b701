package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmJson.Content;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A resource and its parts as a GET shows them: with id, etag, type, state and users. Written when
 * the answer is sent.
 */
public record View(Resource owner, Users users) {
  private static final Set<String> PLACED = Set.of("name", "location", "tags", "properties");
  private static final Set<String> OF_PART = Set.of("name", "properties");

  /** The users of a load balancer's parts are in itself. */
  static View of(Resource owner, Users users) {
    return new View(owner, owner.id().isBalancer() ? Users.within(owner) : users);
  }

  public static View of(Resource balancer) {
    return of(balancer, Users.NONE);
  }

  public Content whole() {
    return out -> {
      // As recorded, a public address has its type after its properties.
      boolean address = owner.id().type().equals(PublicAddress.TYPE);
      out.writeStartObject();
      String name = owner.document().path("name").asText(owner.id().name());
      head(out, name, owner.id().path());
      if (!address) {
        out.writeStringField("type", owner.id().type());
      }
      for (String placed : List.of("location", "tags")) {
        if (owner.document().has(placed)) {
          ArmJson.field(out, placed, owner.document().get(placed));
        }
      }
      properties(out);
      if (address) {
        out.writeStringField("type", owner.id().type());
      }
      ArmJson.members(out, owner.document(), PLACED);
      out.writeEndObject();
    };
  }

  private void properties(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("properties");
    out.writeStringField("provisioningState", owner.state());
    if (owner.id().ofNetwork()) {
      out.writeStringField("resourceGuid", owner.guid());
    }
    members(out, owner.properties(), owner.id().path(), owner.id().type(), owner.state());
    users.writeOne(out, owner.id().path());
    out.writeEndObject();
  }

  /** The members of properties, with the parts in their arrays. */
  private void members(
      JsonGenerator out, JsonNode properties, String path, String type, String state)
      throws IOException {
    List<Embedded> arrays = Embedded.in(type.substring(type.lastIndexOf('/') + 1));
    for (var member : properties.properties()) {
      Optional<Embedded> array = member(arrays, member.getKey());
      if (array.isEmpty()) {
        ArmJson.field(out, member.getKey(), member.getValue());
        continue;
      }
      out.writeArrayFieldStart(member.getKey());
      for (JsonNode element : member.getValue()) {
        String id = array.get().path(path, Embedded.name(element));
        part(out, array.get(), element, id, type, state);
      }
      out.writeEndArray();
      if (array.get() == Embedded.ENTRIES && NicMembers.is(member.getValue().path(0))) {
        // The members again, in the form from before pools could hold addresses.
        ArmJson.references(
            out,
            "backendIPConfigurations",
            member.getValue().valueStream().map(NicMembers::nic).toList());
      }
    }
  }

  private static Optional<Embedded> member(List<Embedded> arrays, String name) {
    return arrays.isEmpty()
        ? Optional.empty()
        : arrays.stream().filter(array -> array.member().equals(name)).findFirst();
  }

  public Content part(Embedded array, JsonNode element) {
    return part(array, element, Optional.empty());
  }

  /** A part, whose id may be spelled otherwise than it is stored. */
  Content part(Embedded array, JsonNode element, Optional<String> spelled) {
    String id = spelled.orElseGet(() -> array.path(owner.id().path(), Embedded.name(element)));
    return out -> part(out, array, element, id, owner.id().type(), owner.state());
  }

  /** A part of what has a type and a state. */
  private void part(
      JsonGenerator out, Embedded array, JsonNode element, String id, String ofType, String as)
      throws IOException {
    String name = Embedded.name(element);
    String type = ofType + "/" + array.member();
    String state = array == Embedded.POOLS ? owner.state(name) : as;
    out.writeStartObject();
    head(out, name, id);
    if (array.typeLeads()) {
      out.writeStringField("type", type);
    }
    out.writeObjectFieldStart("properties");
    out.writeStringField("provisioningState", state);
    members(out, element.path("properties"), id, type, state);
    users.writeLists(out, array, id);
    out.writeEndObject();
    if (!array.typeLeads()) {
      out.writeStringField("type", type);
    }
    ArmJson.members(out, element, OF_PART);
    out.writeEndObject();
  }

  private void head(JsonGenerator out, String name, String id) throws IOException {
    out.writeStringField("name", name);
    out.writeStringField("id", id);
    out.writeStringField("etag", owner.etag());
  }
}
