package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The server's changes to documents of known types: on acceptance, at the end of the operation, and
 * in other resources. Documents of other types stay as written.
 */
final class Shapes {
  private static final Set<String> CHECKED = Set.of(Providers.NETWORK, Providers.COMPUTE);

  private Shapes() {}

  /** Adds the server's members to a document in place, and refuses references that do not exist. */
  static void accept(ResourceId id, ObjectNode document, Optional<Resource> before, Resources all) {
    if (CHECKED.contains(id.namespace())) {
      new References(id, all::contains).walk("properties", document.path("properties"));
    }
    switch (type(id)) {
      case "microsoft.network/publicipaddresses" -> PublicAddress.accept(document, before);
      case "microsoft.network/virtualnetworks" -> NetworkDefaults.network(document, before);
      case "microsoft.network/networksecuritygroups" -> NetworkDefaults.securityGroup(document);
      case "microsoft.network/routetables" -> NetworkDefaults.routeTable(document);
      case "microsoft.network/networkinterfaces",
          "microsoft.compute/virtualmachinescalesets/virtualmachines/networkinterfaces" ->
          NetworkInterface.accept(document, before, all);
      case "microsoft.compute/virtualmachinescalesets" ->
          Machines.acceptScaleSet(id, document, before, all);
      case "microsoft.compute/virtualmachines",
          "microsoft.compute/virtualmachinescalesets/virtualmachines" ->
          Machines.accept(id, document, before, all);
      default -> {}
    }
  }

  static ObjectNode complete(Resource resource, Resources all) {
    return resource.id().type().equals(PublicAddress.TYPE)
        ? PublicAddress.complete(resource, all.publicAddresses())
        : resource.document();
  }

  /** Updates resources that depend on a written one. */
  static void follow(Resource written, Resources all) {
    switch (type(written.id())) {
      case "microsoft.compute/virtualmachinescalesets" -> Machines.scale(written, all);
      case "microsoft.compute/virtualmachinescalesets/virtualmachines" ->
          Machines.connect(written, written.properties().path(Machines.PROFILE), all);
      default -> {}
    }
  }

  static void checkUnused(ResourceId id, Users users) {
    var found = users.of(id.path());
    if (found.containsKey(Users.OF_ADDRESS)) {
      throw ArmError.ADDRESS_IN_USE.refused(id.path(), found.get(Users.OF_ADDRESS).getLast());
    }
    if (found.containsKey(Users.OF_SUBNET)) {
      throw ArmError.SUBNET_IN_USE.refused(id.name(), found.get(Users.OF_SUBNET).getFirst());
    }
  }

  /** Updates resources that depend on a deleted one. */
  static void unfollow(Resource deleted, Resources all) {
    if (type(deleted.id()).equals("microsoft.compute/virtualmachinescalesets/virtualmachines")) {
      deleted
          .id()
          .parent()
          .flatMap(all::find)
          .ifPresent(set -> all.store(Machines.withoutInstance(set, all.etag())));
    }
  }

  private static String type(ResourceId id) {
    return Names.fold(id.type());
  }

  /**
   * Checks the references between network resources in a body: each must be an id in the
   * subscription of the resource, and exist.
   */
  private record References(ResourceId from, Predicate<ResourceId> exists) {
    /** Members with the {@code {"id": ...}} of a resource that must exist. */
    private static final Set<String> NAMES =
        Set.of("subnet", "publicIPAddress", "networkSecurityGroup", "routeTable", "natGateway");

    private static final Set<String> POOLS =
        Set.of("loadBalancerBackendAddressPools", "applicationSecurityGroups");

    void walk(String path, JsonNode node) {
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
}
