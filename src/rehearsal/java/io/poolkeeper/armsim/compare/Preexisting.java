package io.poolkeeper.armsim.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.ArmModel;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What existed before the recording began, as far as a replay needs it: resource groups, and empty
 * load balancers whose parts the recording writes.
 */
record Preexisting(List<Interaction> interactions) {
  private static final String VERSION = "?api-version=2025-05-01";
  private static final String LOCATION = "westeurope";
  private static final int CREATED = 201;
  private static final int OK = 200;

  void make(ArmModel model) {
    Set<GroupId> seen = new HashSet<>();
    for (Interaction one : interactions) {
      one.call()
          .path()
          .resourceGroup()
          .filter(seen::add)
          .filter(group -> shows(one, group))
          .ifPresent(group -> put(model, group.path(), document(group)));
    }
    Set<ResourceId> written = new HashSet<>();
    balancers(false).forEach(written::add);
    balancers(true).filter(written::add).forEach(id -> put(model, id.path(), located()));
  }

  /** Whether the first exchange in a group shows that it exists. */
  private static boolean shows(Interaction first, GroupId group) {
    boolean itself = first.call().path().equals(new ArmPath.Group(group));
    boolean creates = first.call().method() == Method.PUT;
    return itself
        ? !first.recorded().refused()
            && !(creates && first.recorded().status().orElse(CREATED) == CREATED)
        : !first.recorded().code().equals("ResourceGroupNotFound");
  }

  /** The load balancers that are written themselves, or whose parts are. */
  private Stream<ResourceId> balancers(boolean byPart) {
    return interactions.stream()
        .filter(one -> one.call().method() == Method.PUT && !one.recorded().refused())
        .flatMap(one -> one.call().path().resource().stream())
        .filter(id -> id.ofBalancers() && id.isBalancer() != byPart)
        .map(ResourceId::top);
  }

  /** The group as the recording first shows it. */
  private ObjectNode document(GroupId group) {
    ArmPath path = new ArmPath.Group(group);
    Optional<JsonNode> shown =
        interactions.stream()
            .filter(one -> one.call().path().equals(path) && one.call().method() == Method.GET)
            .filter(one -> one.recorded().status().orElse(0) == OK)
            .map(one -> one.recorded().tree())
            .findFirst();
    return shown
        .filter(document -> document.path("location").isTextual())
        .<ObjectNode>map(JsonNode::deepCopy)
        .orElseGet(Preexisting::located);
  }

  private static ObjectNode located() {
    return ArmJson.MAPPER.createObjectNode().put("location", LOCATION);
  }

  private static void put(ArmModel model, String path, ObjectNode document) {
    model.handle(
        ArmCall.to(
            Method.PUT,
            Recording.ORIGIN,
            path + VERSION,
            Optional.empty(),
            new Body.Json(document)));
  }
}
