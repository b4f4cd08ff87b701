package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.model.NicMembers.PoolMembership;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Network interfaces, of single machines and of scale sets alike: their ip configurations get
 * private addresses from their subnets, and keep them as long as they stay there.
 */
final class NetworkInterface {
  private static final String ADDRESS = "privateIPAddress";
  private static final String POOLS = "loadBalancerBackendAddressPools";

  private static final ObjectNode DEFAULTS =
      ArmJson.object(
          """
          {"dnsSettings": {"dnsServers": [], "appliedDnsServers": []},
           "enableAcceleratedNetworking": false, "enableIPForwarding": false,
           "nicType": "Standard"}
          """);
  private static final ObjectNode CONFIGURATION_DEFAULTS =
      ArmJson.object(
          """
          {"privateIPAllocationMethod": "Dynamic", "privateIPAddressVersion": "IPv4"}
          """);

  private NetworkInterface() {}

  static void accept(ObjectNode document, Optional<Resource> before, Resources all) {
    ObjectNode properties = (ObjectNode) document.path("properties");
    String member = Embedded.IP_CONFIGURATIONS.member();
    check(document);
    Addresses addresses = all.addresses();
    for (JsonNode element : properties.path(member)) {
      configure((ObjectNode) element.path("properties"), old(before, element), addresses, all);
    }
    JsonNode first = properties.path(member).path(0).path("properties");
    if (!first.has("primary")) {
      ((ObjectNode) first).put("primary", true);
    }
    ArmJson.complete(properties, DEFAULTS);
  }

  static void check(ObjectNode document) {
    String member = Embedded.IP_CONFIGURATIONS.member();
    if (document.path("properties").path(member).isEmpty()) {
      throw ArmError.WRONG_VALUE.refused(member, "at least one ip configuration", "none");
    }
  }

  /** Passes the subnet and the address of each ip configuration to the sink. */
  static void addresses(Resource nic, BiConsumer<String, String> sink) {
    for (JsonNode element : nic.array(Embedded.IP_CONFIGURATIONS)) {
      JsonNode properties = element.path("properties");
      sink.accept(subnet(properties), properties.path(ADDRESS).asText(""));
    }
  }

  static List<PoolMembership> memberships(Resource nic) {
    List<PoolMembership> memberships = new ArrayList<>();
    for (JsonNode element : nic.array(Embedded.IP_CONFIGURATIONS)) {
      JsonNode properties = element.path("properties");
      for (JsonNode pool : properties.path(POOLS)) {
        memberships.add(
            new PoolMembership(
                pool.path("id").asText(""),
                Embedded.IP_CONFIGURATIONS.path(nic.id().path(), Embedded.name(element)),
                properties.path(ADDRESS).asText("")));
      }
    }
    return memberships;
  }

  private static void configure(
      ObjectNode configuration, JsonNode old, Addresses addresses, Resources all) {
    String subnet = subnet(configuration);
    boolean fixed =
        configuration.path("privateIPAllocationMethod").asText("Dynamic").equalsIgnoreCase("Static")
            && configuration.has(ADDRESS);
    if (!fixed && !subnet.isEmpty()) {
      configuration.remove(ADDRESS);
      boolean stays = subnet.equals(subnet(old)) && old.has(ADDRESS);
      String version = configuration.path("privateIPAddressVersion").asText("IPv4");
      (stays
              ? Optional.of(old.path(ADDRESS).asText())
              : all.prefix(subnet, version.equalsIgnoreCase("IPv6"))
                  .flatMap(prefix -> addresses.next(subnet, prefix)))
          .ifPresent(address -> configuration.put(ADDRESS, address));
    }
    ArmJson.complete(configuration, CONFIGURATION_DEFAULTS);
  }

  /** The properties of the ip configuration of the same name, as they were. */
  private static JsonNode old(Optional<Resource> before, JsonNode element) {
    return before
        .flatMap(nic -> nic.part(Embedded.IP_CONFIGURATIONS, Embedded.name(element)))
        .map(other -> other.path("properties"))
        .orElse(MissingNode.getInstance());
  }

  private static String subnet(JsonNode configuration) {
    return Names.fold(configuration.path("subnet").path("id").asText(""));
  }
}
