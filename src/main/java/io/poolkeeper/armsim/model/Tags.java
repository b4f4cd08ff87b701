package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.util.Optional;
import java.util.Set;

/** The tags of a load balancer: texts by name, replaced as a whole. */
final class Tags {
  static final String MEMBER = "tags";

  private Tags() {}

  /** The tags in a body, if it has any; refused if they are not texts. */
  static Optional<ObjectNode> of(JsonNode body) {
    JsonNode tags = body.path(MEMBER);
    Shape.OBJECT.require(MEMBER, tags);
    tags.properties()
        .forEach(tag -> Shape.TEXT.require(MEMBER + "." + tag.getKey(), tag.getValue()));
    return tags.isObject() ? Optional.of(ArmJson.without(tags, Set.of())) : Optional.empty();
  }
}
