package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Checks the ids in a body that lead out of the load balancer. Each different id is checked once,
 * however many entries name it.
 *
 * <p>Azure's answer to an id in another subscription depends on the caller's rights there; here
 * callers have none, and the resource is not found.
 */
final class OutwardReferences {
  /** The last part of the referenced type, by property. */
  static final Map<String, String> EXPECTED_TYPES =
      Map.of(
          "virtualNetwork", "virtualNetworks",
          "subnet", "subnets",
          "publicIPAddress", "publicIPAddresses",
          "publicIPPrefix", "publicIPPrefixes",
          "frontendIPConfiguration", "frontendIPConfigurations",
          "backendAddressPool", "backendAddressPools",
          "probe", "probes");

  private final Reading reading;
  private final Set<String> checked = new HashSet<>();

  OutwardReferences(Reading reading) {
    this.reading = reading;
  }

  /** Checks the references among the properties of the resource with the id {@code by}. */
  void check(String by, JsonNode properties) {
    if (reading.stored()) {
      return;
    }
    properties
        .properties()
        .forEach(
            member -> {
              String type = EXPECTED_TYPES.getOrDefault(member.getKey(), "");
              String id = member.getValue().path("id").asText("");
              if (!type.isEmpty() && checked.add(member.getKey() + " " + Names.fold(id))) {
                check(by, member.getKey(), type, id);
              }
            });
  }

  private void check(String by, String member, String type, String id) {
    if (!Names.fold(id).startsWith("/subscriptions/")) {
      throw ArmError.NO_REFERENCE.refused(id, "properties." + member + ".id");
    }
    ResourceId to =
        ResourceId.parse(id)
            .filter(found -> found.group().isPresent())
            .filter(found -> found.types().getLast().equalsIgnoreCase(type))
            .orElseThrow(() -> ArmError.WRONG_REFERENCE.refused(id, type));
    boolean here = to.subscription().equalsIgnoreCase(reading.id().subscription());
    boolean network = type.equals("virtualNetworks") || type.equals("subnets");
    if (!here || (network && !reading.networks().test(to))) {
      throw ArmError.NO_SUCH_REFERENCE.refused(id, by);
    }
  }
}
