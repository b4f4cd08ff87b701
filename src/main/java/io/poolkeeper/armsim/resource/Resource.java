package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.Optional;

/**
 * One resource. Immutable, its tree included.
 *
 * @param id in the case of the first PUT
 * @param etag in the form {@code W/"guid"}
 * @param running the operation that is changing it; empty when it is at rest
 * @param document as written, with the server's defaults; without id, name, type, etag and state,
 *     which are added when it is rendered
 */
public record Resource(
    ResourceId id, String guid, String etag, Optional<String> running, ObjectNode document) {

  public static String etagOf(String guid) {
    return "W/\"" + guid + "\"";
  }

  String state() {
    return running.isPresent() ? "Updating" : "Succeeded";
  }

  JsonNode properties() {
    return document.path("properties");
  }

  /** The elements of an array in its properties; none if there is no such array. */
  JsonNode array(Embedded array) {
    return properties().path(array.member());
  }

  /** The location as written; may be empty. */
  public String location() {
    return document.path("location").asText("");
  }

  Resource running(Optional<String> operation) {
    return new Resource(id, guid, etag, operation, document);
  }

  Resource with(ObjectNode next, String newEtag, Optional<String> operation) {
    return new Resource(id, guid, newEtag, operation, next);
  }
}
