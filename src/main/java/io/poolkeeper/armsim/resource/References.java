package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Checks the references between network resources in a body: each must be an id in the subscription
 * of the resource, and exist.
 */
final class References {
  /** Members with the {@code {"id": ...}} of a resource that must exist. */
  private static final Set<String> NAMES =
      Set.of("subnet", "publicIPAddress", "networkSecurityGroup", "routeTable", "natGateway");

  /** Members with an array of such. */
  private static final Set<String> POOLS =
      Set.of("loadBalancerBackendAddressPools", "applicationSecurityGroups");

  private final ResourceId from;
  private final Predicate<ResourceId> exists;

  References(ResourceId from, Predicate<ResourceId> exists) {
    this.from = from;
    this.exists = exists;
  }

  /** Refuses the first reference that does not exist. */
  void check(JsonNode document) {
    walk("properties", document.path("properties"));
  }

  private void walk(String path, JsonNode node) {
    for (var member : node.properties()) {
      String at = path + "." + member.getKey();
      JsonNode value = member.getValue();
      if (NAMES.contains(member.getKey()) && value.has("id")) {
        checkId(at + ".id", value.get("id"));
      }
      if (POOLS.contains(member.getKey())) {
        for (JsonNode pool : value) {
          checkId(at + ".id", pool.path("id"));
        }
      }
      walk(at, value);
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      walk(path + "[" + i + "]", node.get(i));
    }
  }

  private void checkId(String path, JsonNode value) {
    if (!value.isTextual()) {
      throw ArmError.WRONG_TYPE.refused(path, "a resource id", value.getNodeType());
    }
    String text = value.textValue();
    ResourceId to =
        ResourceId.parse(text).orElseThrow(() -> ArmError.NO_REFERENCE.refused(text, path));
    if (!to.subscription().equalsIgnoreCase(from.subscription()) || !exists.test(to)) {
      throw ArmError.NO_SUCH_REFERENCE.refused(text, from.path());
    }
  }
}
