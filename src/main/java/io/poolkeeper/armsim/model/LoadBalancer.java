package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.LoadBalancerId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One load balancer's document: its content and the server's data. Immutable. The etag is one for
 * the whole document, pools and entries included, and so is the state, unless one pool alone shows
 * its write.
 *
 * @param id in the case of the first PUT
 * @param etag in the form {@code W/"guid"}
 * @param running the operation that is changing it; empty when it is at rest
 * @param alone the name of the pool that alone shows it; empty if everything does
 * @param failed whether the last operation on it failed; the next success clears this
 */
public record LoadBalancer(
    LoadBalancerId id,
    String guid,
    String etag,
    Optional<String> running,
    Optional<String> alone,
    boolean failed,
    LoadBalancerContent content) {

  static final String TYPE = "Microsoft.Network/loadBalancers";

  /** The provisioning state of the document and everything in it but the pools. */
  String state() {
    return state(alone.isEmpty());
  }

  /** The provisioning state of a pool and its entries. */
  String state(Pool pool) {
    return state(alone.map(name -> name.equalsIgnoreCase(pool.name())).orElse(true));
  }

  private String state(boolean shows) {
    if (shows && running.isPresent()) {
      return "Updating";
    }
    return failed ? "Failed" : "Succeeded";
  }

  /** The entries of a pool; empty if there is no such pool. */
  public Optional<List<PoolMember>> members(String pool) {
    return pool(pool).map(Pool::members);
  }

  public List<String> poolNames() {
    return content.allPools().stream().map(Pool::name).toList();
  }

  Optional<Pool> pool(String name) {
    return content.pool(name);
  }

  LoadBalancer accepted(
      LoadBalancerContent next, String operation, Optional<String> shown, String newEtag) {
    return new LoadBalancer(id, guid, newEtag, Optional.of(operation), shown, failed, next);
  }

  LoadBalancer completed(String newEtag, boolean badly) {
    return new LoadBalancer(id, guid, newEtag, Optional.empty(), Optional.empty(), badly, content);
  }

  /** The same document with other contents, for the answer to a lost write. */
  LoadBalancer showing(LoadBalancerContent other) {
    return new LoadBalancer(id, guid, etag, running, alone, failed, other);
  }

  /** A change without an operation: a new etag and the same state. */
  LoadBalancer touched(LoadBalancerContent next, String newEtag) {
    return new LoadBalancer(id, guid, newEtag, running, alone, failed, next);
  }

  void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    Child.head(out, id.name(), id.path(), etag);
    out.writeStringField("type", TYPE);
    out.writeStringField("location", content.location());
    if (content.others().has("tags")) {
      out.writeFieldName("tags");
      out.writeTree(content.others().get("tags"));
    }
    writeProperties(out);
    for (var other : content.others().properties()) {
      if (!other.getKey().equals("tags")) {
        out.writeFieldName(other.getKey());
        out.writeTree(other.getValue());
      }
    }
    out.writeEndObject();
  }

  private void writeProperties(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("properties");
    out.writeStringField("provisioningState", state());
    out.writeStringField("resourceGuid", guid);
    for (ChildKind kind : ChildKind.values()) {
      out.writeArrayFieldStart(kind.member());
      if (kind == ChildKind.POOL) {
        for (Pool pool : content.allPools()) {
          pool.write(out, this);
        }
      } else {
        for (Child child : content.children(kind)) {
          writeChild(out, kind, child);
        }
      }
      out.writeEndArray();
    }
    ArmJson.members(out, content.properties());
    out.writeEndObject();
  }

  void writeChild(JsonGenerator out, ChildKind kind, Child child) throws IOException {
    out.writeStartObject();
    Child.head(out, child.name(), kind.path(id, child.name()), etag);
    out.writeStringField("type", TYPE + "/" + kind.member());
    child.openProperties(out, state());
    content.references().write(out, id, kind, child.name());
    out.writeEndObject();
    ArmJson.members(out, child.others());
    out.writeEndObject();
  }
}
