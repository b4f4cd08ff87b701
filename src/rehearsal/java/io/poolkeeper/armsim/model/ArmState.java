package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.GroupCalls.ResourceGroup;
import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.LoadBalancerId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An immutable snapshot of Resource Manager's state, and its JSON: loading a dump gives the same
 * state, running operations included.
 */
public record ArmState(
    List<ResourceGroup> groups, List<Resource> resources, List<Operation> operations) {

  private static final String GROUPS = "resourceGroups";
  private static final String BALANCERS = "loadBalancers";
  private static final String RESOURCES = "resources";
  private static final String OPERATIONS = "operations";

  public static ArmState empty() {
    return new ArmState(List.of(), List.of(), List.of());
  }

  /** A hash of all guids in the state, so that a restart does not issue one again. */
  public int fingerprint() {
    Stream<String> etags = Stream.concat(balancers(true), balancers(false)).map(Resource::etag);
    return Stream.concat(etags, operations.stream().map(Operation::id)).toList().hashCode();
  }

  /** The load balancers, or the other resources. */
  private Stream<Resource> balancers(boolean wanted) {
    return resources.stream().filter(resource -> resource.id().isBalancer() == wanted);
  }

  /**
   * Writes the state, without building it as a tree first, into the object being written; load
   * balancers are shown as a GET would.
   */
  public void writeMembers(JsonGenerator out) throws IOException {
    array(out, GROUPS, groups.stream().map(ArmState::dump));
    write(out, BALANCERS, balancers(true));
    write(out, RESOURCES, balancers(false));
    array(out, OPERATIONS, operations.stream().map(ArmState::dump));
  }

  /** Writes a member with an array of trees, which are built one by one. */
  public static void array(JsonGenerator out, String member, Stream<ObjectNode> items)
      throws IOException {
    out.writeArrayFieldStart(member);
    for (var each = items.iterator(); each.hasNext(); ) {
      out.writeTree(each.next());
    }
    out.writeEndArray();
  }

  private static ObjectNode dump(ResourceGroup group) {
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    node.put("subscription", group.id().subscription()).put("name", group.id().name());
    return node.set("document", group.json(false));
  }

  private static void write(JsonGenerator out, String member, Stream<Resource> resources)
      throws IOException {
    out.writeArrayFieldStart(member);
    for (Resource resource : resources.toList()) {
      ObjectNode node = subject(resource.id().path(), "id");
      node.put("guid", resource.guid()).put("etag", resource.etag());
      resource.running().ifPresent(operation -> node.put("running", operation));
      resource.alone().ifPresent(pool -> node.put("updatingPool", pool));
      if (resource.failed()) {
        node.put("failed", true);
      }
      out.writeStartObject();
      ArmJson.members(out, node, Set.of());
      out.writeFieldName("document");
      if (resource.id().isBalancer()) {
        View.of(resource).whole().write(out);
      } else {
        out.writeTree(resource.document());
      }
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /** The names of a load balancer; the path of anything else as a member. */
  private static ObjectNode subject(String path, String member) {
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    ResourceId.parse(path)
        .flatMap(ResourceId::balancer)
        .ifPresentOrElse(
            id ->
                node.put("subscription", id.subscription())
                    .put("resourceGroup", id.resourceGroup())
                    .put("name", id.name()),
            () -> node.put(member, path));
    return node;
  }

  /** Reads what {@link #writeMembers} wrote; a failure names the place. */
  public static ArmState load(JsonNode dump) {
    return new ArmState(
        each(dump, GROUPS, ArmState::group),
        Stream.concat(
                each(dump, BALANCERS, ArmState::balancer).stream(),
                // Absent in a dump of an earlier release.
                dump.has(RESOURCES)
                    ? each(dump, RESOURCES, ArmState::resource).stream()
                    : Stream.of())
            .sorted(Comparator.comparing(resource -> resource.id().key()))
            .toList(),
        each(dump, OPERATIONS, ArmState::operation));
  }

  public static <T> List<T> each(JsonNode dump, String member, Function<JsonNode, T> reader) {
    JsonNode array = dump.path(member);
    if (!array.isArray()) {
      throw new IllegalArgumentException(
          "%s: expected an array but found %s".formatted(member, array.getNodeType()));
    }
    List<T> items = new ArrayList<>();
    for (JsonNode item : array) {
      String place = "%s[%d]: ".formatted(member, items.size());
      try {
        items.add(reader.apply(item));
      } catch (Refused refused) {
        throw new IllegalArgumentException(place + refused.answer().text(), refused);
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(place + wrong.getMessage(), wrong);
      }
    }
    return List.copyOf(items);
  }

  private static ResourceGroup group(JsonNode node) {
    var id = new GroupId(text(node, "subscription"), text(node, "name"));
    return ResourceGroup.parse(id, node.path("document"));
  }

  private static Resource balancer(JsonNode node) {
    ResourceId id = id(node);
    return resource(node, id, BalancerDocument.read(Reading.stored(id), node.path("document")));
  }

  private static Resource resource(JsonNode node) {
    String id = text(node, "id");
    if (!(node.path("document") instanceof ObjectNode document)) {
      throw new IllegalArgumentException(
          "document: expected an object but found " + node.path("document").getNodeType());
    }
    ResourceId parsed =
        ResourceId.parse(id)
            .orElseThrow(() -> new IllegalArgumentException("id: no resource id: " + id));
    return resource(node, parsed, document);
  }

  private static Resource resource(JsonNode node, ResourceId id, ObjectNode document) {
    return new Resource(
        id,
        text(node, "guid"),
        text(node, "etag"),
        optional(node, "running"),
        optional(node, "updatingPool"),
        node.path("failed").asBoolean(false),
        document);
  }

  private static Optional<String> optional(JsonNode node, String member) {
    return node.has(member) ? Optional.of(text(node, member)) : Optional.empty();
  }

  private static ObjectNode dump(Operation operation) {
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    node.put("id", operation.id()).put("name", operation.name());
    node.set("subject", subject(operation.path(), "path"));
    switch (operation.outcome()) {
      case Outcome.Running running -> node.put("status", "running");
      case Outcome.Succeeded succeeded -> node.put("status", "succeeded");
      case Outcome.Failed failed ->
          node.put("status", "failed").put("code", failed.code()).put("message", failed.message());
      case Outcome.Canceled canceled -> node.put("status", "canceled").put("code", canceled.code());
      case Outcome.Superseded superseded ->
          node.put("status", "superseded").put("by", superseded.by());
    }
    return node;
  }

  private static Operation operation(JsonNode node) {
    JsonNode subject = node.path("subject");
    return new Operation(
        text(node, "id"),
        text(node, "name"),
        subject.has("path") ? text(subject, "path") : id(subject).path(),
        outcome(node));
  }

  private static Outcome outcome(JsonNode node) {
    String status = text(node, "status");
    return switch (status) {
      case "running" -> new Outcome.Running();
      case "succeeded" -> new Outcome.Succeeded();
      case "failed" -> new Outcome.Failed(text(node, "code"), text(node, "message"));
      case "canceled" -> new Outcome.Canceled(text(node, "code"));
      case "superseded" -> new Outcome.Superseded(text(node, "by"));
      default ->
          throw new IllegalArgumentException(
              "status: expected running, succeeded, failed, canceled or superseded but found "
                  + status);
    };
  }

  private static ResourceId id(JsonNode node) {
    return ResourceId.of(
        new LoadBalancerId(
            text(node, "subscription"), text(node, "resourceGroup"), text(node, "name")));
  }

  private static String text(JsonNode node, String member) {
    JsonNode value = node.path(member);
    if (!value.isTextual()) {
      throw new IllegalArgumentException(
          "%s: expected a text but found %s".formatted(member, value.getNodeType()));
    }
    return value.textValue();
  }
}
