package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.util.Optional;

/** The members that the network provider adds to networks, security groups and route tables. */
final class NetworkDefaults {
  private static final ObjectNode NETWORK = ArmJson.object("{\"enableDdosProtection\": false}");
  private static final ObjectNode ROUTE_TABLE =
      ArmJson.object("{\"disableBgpRoutePropagation\": false}");
  private static final ObjectNode SUBNET =
      ArmJson.object(
          """
          {"delegations": [], "privateEndpointNetworkPolicies": "Disabled",
           "privateLinkServiceNetworkPolicies": "Enabled"}
          """);

  private NetworkDefaults() {}

  /** A network written without its subnets or peerings keeps them. */
  static void network(ObjectNode document, Optional<Resource> before) {
    ObjectNode properties = (ObjectNode) document.path("properties");
    for (Embedded array : Embedded.values()) {
      boolean keeps = array.keptWhenAbsent() && !properties.has(array.member());
      before
          .map(old -> old.array(array))
          .filter(old -> keeps && old.isArray())
          .ifPresent(old -> properties.set(array.member(), old.deepCopy()));
    }
    for (JsonNode subnet : array(properties, Embedded.SUBNETS)) {
      ArmJson.complete((ObjectNode) subnet.path("properties"), SUBNET);
    }
    array(properties, Embedded.PEERINGS);
    ArmJson.complete(properties, NETWORK);
  }

  static void securityGroup(ObjectNode document) {
    ObjectNode properties = (ObjectNode) document.path("properties");
    array(properties, Embedded.SECURITY_RULES);
    ArrayNode rules = properties.putArray(Embedded.DEFAULT_SECURITY_RULES.member());
    rule(rules, "AllowVnetInBound", 65_000, "Inbound", "VirtualNetwork", "VirtualNetwork");
    rule(rules, "AllowAzureLoadBalancerInBound", 65_001, "Inbound", "AzureLoadBalancer", "*");
    rule(rules, "DenyAllInBound", 65_500, "Inbound", "*", "*");
    rule(rules, "AllowVnetOutBound", 65_000, "Outbound", "VirtualNetwork", "VirtualNetwork");
    rule(rules, "AllowInternetOutBound", 65_001, "Outbound", "*", "Internet");
    rule(rules, "DenyAllOutBound", 65_500, "Outbound", "*", "*");
  }

  static void routeTable(ObjectNode document) {
    ObjectNode properties = (ObjectNode) document.path("properties");
    array(properties, Embedded.ROUTES);
    ArmJson.complete(properties, ROUTE_TABLE);
  }

  private static ArrayNode array(ObjectNode properties, Embedded array) {
    return properties.path(array.member()) instanceof ArrayNode given
        ? given
        : properties.putArray(array.member());
  }

  private static void rule(
      ArrayNode rules, String name, int priority, String direction, String from, String to) {
    rules
        .addObject()
        .put("name", name)
        .putObject("properties")
        .put("protocol", "*")
        .put("sourcePortRange", "*")
        .put("destinationPortRange", "*")
        .put("sourceAddressPrefix", from)
        .put("destinationAddressPrefix", to)
        .put("access", name.startsWith("Allow") ? "Allow" : "Deny")
        .put("priority", priority)
        .put("direction", direction);
  }
}
