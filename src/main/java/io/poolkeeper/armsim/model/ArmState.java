package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.armsim.resource.Resource;
import io.poolkeeper.model.LoadBalancerId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * An immutable snapshot of Resource Manager's state, and its JSON: loading a dump gives the same
 * state, running operations included.
 */
public record ArmState(
    List<ResourceGroup> groups,
    List<LoadBalancer> loadBalancers,
    List<Resource> resources,
    List<Operation> operations) {

  private static final String GROUPS = "resourceGroups";
  private static final String BALANCERS = "loadBalancers";
  private static final String RESOURCES = "resources";
  private static final String OPERATIONS = "operations";

  /** The empty state. */
  public static ArmState empty() {
    return new ArmState(List.of(), List.of(), List.of(), List.of());
  }

  /** A hash of all guids in the state, so that a restart does not issue one again. */
  public int fingerprint() {
    Stream<String> etags =
        Stream.concat(
            loadBalancers.stream().map(LoadBalancer::etag), resources.stream().map(Resource::etag));
    return Stream.concat(etags, operations.stream().map(Operation::id)).toList().hashCode();
  }

  /** The state as JSON. */
  public ObjectNode dump() {
    return ArmJson.tree(
        out -> {
          out.writeStartObject();
          writeMembers(out);
          out.writeEndObject();
        });
  }

  /**
   * Writes the state, without building it as a tree first, into the object being written; load
   * balancers are shown as a GET would.
   */
  public void writeMembers(JsonGenerator out) throws IOException {
    out.writeArrayFieldStart(GROUPS);
    for (ResourceGroup group : groups) {
      out.writeStartObject();
      out.writeStringField("subscription", group.id().subscription());
      out.writeStringField("name", group.id().name());
      out.writeFieldName("document");
      group.write(out);
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeArrayFieldStart(BALANCERS);
    for (LoadBalancer balancer : loadBalancers) {
      write(out, balancer);
    }
    out.writeEndArray();
    out.writeArrayFieldStart(RESOURCES);
    for (Resource resource : resources) {
      write(out, resource);
    }
    out.writeEndArray();
    out.writeArrayFieldStart(OPERATIONS);
    for (Operation operation : operations) {
      ObjectNode node = ArmJson.MAPPER.createObjectNode();
      dump(operation, node);
      out.writeTree(node);
    }
    out.writeEndArray();
  }

  private static void write(JsonGenerator out, LoadBalancer balancer) throws IOException {
    out.writeStartObject();
    ObjectNode id = named(ArmJson.MAPPER.createObjectNode(), balancer.id());
    ArmJson.members(out, id);
    out.writeStringField("guid", balancer.guid());
    out.writeStringField("etag", balancer.etag());
    writeRunning(out, balancer.running());
    if (balancer.failed()) {
      out.writeBooleanField("failed", true);
    }
    out.writeFieldName("document");
    balancer.write(out);
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Resource resource) throws IOException {
    out.writeStartObject();
    out.writeStringField("id", resource.id().path());
    out.writeStringField("guid", resource.guid());
    out.writeStringField("etag", resource.etag());
    writeRunning(out, resource.running());
    out.writeFieldName("document");
    out.writeTree(resource.document());
    out.writeEndObject();
  }

  private static void writeRunning(JsonGenerator out, Optional<String> running) throws IOException {
    if (running.isPresent()) {
      out.writeStringField("running", running.get());
    }
  }

  /**
   * Reads what {@link #dump()} wrote.
   *
   * @throws IllegalArgumentException if it is something else; the message names the place
   */
  public static ArmState load(JsonNode dump) {
    List<ResourceGroup> groups = new ArrayList<>();
    List<LoadBalancer> balancers = new ArrayList<>();
    List<Resource> resources = new ArrayList<>();
    List<Operation> operations = new ArrayList<>();
    each(dump, GROUPS, node -> groups.add(group(node)));
    each(dump, BALANCERS, node -> balancers.add(balancer(node)));
    // Absent in a dump of an earlier release.
    if (dump.has(RESOURCES)) {
      each(dump, RESOURCES, node -> resources.add(resource(node)));
    }
    each(dump, OPERATIONS, node -> operations.add(operation(node)));
    return new ArmState(
        List.copyOf(groups),
        List.copyOf(balancers),
        List.copyOf(resources),
        List.copyOf(operations));
  }

  private static void each(JsonNode dump, String member, Consumer<JsonNode> reader) {
    JsonNode array = dump.path(member);
    if (!array.isArray()) {
      throw new IllegalArgumentException(
          "%s: expected an array but found %s".formatted(member, array.getNodeType()));
    }
    for (int i = 0; i < array.size(); i++) {
      try {
        reader.accept(array.get(i));
      } catch (Refused refused) {
        throw new IllegalArgumentException(
            "%s[%d]: %s".formatted(member, i, refused.answer().text()), refused);
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(
            "%s[%d]: %s".formatted(member, i, wrong.getMessage()), wrong);
      }
    }
  }

  private static ResourceGroup group(JsonNode node) {
    var id = new GroupId(text(node, "subscription"), text(node, "name"));
    return ResourceGroup.parse(id, node.path("document"));
  }

  private static LoadBalancer balancer(JsonNode node) {
    LoadBalancerId id = id(node);
    return new LoadBalancer(
        id,
        text(node, "guid"),
        text(node, "etag"),
        node.has("running") ? Optional.of(text(node, "running")) : Optional.empty(),
        node.path("failed").asBoolean(false),
        LoadBalancerContent.parse(id, node.path("document")));
  }

  private static Resource resource(JsonNode node) {
    String id = text(node, "id");
    if (!(node.path("document") instanceof ObjectNode document)) {
      throw new IllegalArgumentException(
          "document: expected an object but found " + node.path("document").getNodeType());
    }
    return new Resource(
        ResourceId.parse(id)
            .orElseThrow(() -> new IllegalArgumentException("id: no resource id: " + id)),
        text(node, "guid"),
        text(node, "etag"),
        node.has("running") ? Optional.of(text(node, "running")) : Optional.empty(),
        document);
  }

  private static void dump(Operation operation, ObjectNode node) {
    node.put("id", operation.id()).put("name", operation.name());
    ObjectNode subject = node.putObject("subject");
    switch (operation.subject()) {
      case Operation.Subject.Balancer balancer -> named(subject, balancer.id());
      case Operation.Subject.Other other -> subject.put("path", other.path());
    }
    switch (operation.outcome()) {
      case Outcome.Running running -> node.put("status", "running");
      case Outcome.Succeeded succeeded -> node.put("status", "succeeded");
      case Outcome.Failed failed ->
          node.put("status", "failed").put("code", failed.code()).put("message", failed.message());
      case Outcome.Canceled canceled -> node.put("status", "canceled").put("code", canceled.code());
      case Outcome.Superseded superseded ->
          node.put("status", "superseded").put("by", superseded.by());
    }
  }

  private static Operation operation(JsonNode node) {
    JsonNode subject = node.path("subject");
    return new Operation(
        text(node, "id"),
        text(node, "name"),
        subject.has("path")
            ? new Operation.Subject.Other(text(subject, "path"))
            : new Operation.Subject.Balancer(id(subject)),
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

  private static LoadBalancerId id(JsonNode node) {
    return new LoadBalancerId(
        text(node, "subscription"), text(node, "resourceGroup"), text(node, "name"));
  }

  private static ObjectNode named(ObjectNode node, LoadBalancerId id) {
    return node.put("subscription", id.subscription())
        .put("resourceGroup", id.resourceGroup())
        .put("name", id.name());
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
