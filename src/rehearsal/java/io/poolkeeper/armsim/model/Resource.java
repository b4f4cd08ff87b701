package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.Optional;

/**
 * One resource, a load balancer with its pools included. Immutable, its tree included. The etag is
 * one for the whole document, and so is the state, unless one pool alone shows its write.
 *
 * @param id in the case of the first PUT
 * @param etag in the form {@code W/"guid"}
 * @param running the operation that is changing it; empty when it is at rest
 * @param alone the name of the pool that alone shows it; empty if everything does
 * @param failed whether the last operation on it failed; the next success clears this
 * @param document as written, with the server's defaults; without id, name, type, etag and state,
 *     which are added when it is rendered
 */
public record Resource(
    ResourceId id,
    String guid,
    String etag,
    Optional<String> running,
    Optional<String> alone,
    boolean failed,
    ObjectNode document) {

  public static String etagOf(String guid) {
    return "W/\"" + guid + "\"";
  }

  /** Refuses a call that wants another etag than the stored one; {@code *} matches any. */
  public static void checkEtag(Optional<String> wanted, Optional<Resource> stored, ResourceId id) {
    if (wanted.isEmpty()) {
      return;
    }
    String given = wanted.get();
    String etag =
        stored.map(Resource::etag).orElseThrow(() -> ArmError.NOTHING_TO_MATCH.refused(given));
    if (!given.equals("*") && !given.equals(etag)) {
      throw ArmError.ETAG_MISMATCH.refused(given, etag, id.path());
    }
  }

  /** The provisioning state of the document and everything in it but the pools. */
  String state() {
    return state(alone.isEmpty());
  }

  String state(String pool) {
    return state(alone.map(pool::equalsIgnoreCase).orElse(true));
  }

  private String state(boolean shows) {
    if (shows && running.isPresent()) {
      return "Updating";
    }
    return failed ? "Failed" : "Succeeded";
  }

  JsonNode properties() {
    return document.path("properties");
  }

  /** The elements of an array in its properties; none if there is no such array. */
  JsonNode array(Embedded array) {
    return properties().path(array.member());
  }

  /** The same, if documents of its type have the array. */
  JsonNode parts(Embedded array) {
    return Embedded.of(id).contains(array) ? array(array) : MissingNode.getInstance();
  }

  public Optional<JsonNode> part(Embedded array, String name) {
    return array(array)
        .valueStream()
        .filter(element -> Embedded.name(element).equalsIgnoreCase(name))
        .findFirst();
  }

  public String location() {
    return document.path("location").asText("");
  }

  Resource running(Optional<String> operation) {
    return new Resource(id, guid, etag, operation, alone, failed, document);
  }

  /** Another document, without an operation or with the same one. */
  public Resource with(ObjectNode next, String newEtag, Optional<String> operation) {
    return new Resource(id, guid, newEtag, operation, alone, failed, next);
  }

  /** With an accepted write, which one pool alone may show. */
  public Resource accepted(
      ObjectNode next, String newEtag, String operation, Optional<String> shown) {
    return new Resource(id, guid, newEtag, Optional.of(operation), shown, failed, next);
  }

  Resource ended(ObjectNode next, String newEtag, boolean badly) {
    return new Resource(id, guid, newEtag, Optional.empty(), Optional.empty(), badly, next);
  }
}
