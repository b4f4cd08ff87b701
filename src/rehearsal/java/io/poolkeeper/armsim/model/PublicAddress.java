package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.Links;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Public ip addresses, with the defaults and the order of members that were recorded. A static one
 * gets its address at the end of its creation, and keeps it.
 */
final class PublicAddress {
  static final String TYPE = "Microsoft.Network/publicIPAddresses";

  static final String ADDRESS = "ipAddress";
  private static final String VERSION = "publicIPAddressVersion";
  private static final String ALLOCATION = "publicIPAllocationMethod";

  private static final ObjectNode DEFAULTS =
      ArmJson.object("{\"ddosSettings\": {\"protectionMode\": \"VirtualNetworkInherited\"}}");
  private static final ObjectNode STANDARD =
      ArmJson.object("{\"sku\": {\"name\": \"Standard\", \"tier\": \"Regional\"}}");

  private PublicAddress() {}

  static void accept(ObjectNode document, Optional<Resource> before) {
    ObjectNode given = (ObjectNode) document.path("properties");
    given.remove(ADDRESS);
    ObjectNode properties = ArmJson.MAPPER.createObjectNode();
    before
        .map(old -> old.properties().get(ADDRESS))
        .ifPresent(address -> properties.set(ADDRESS, address));
    properties.put(VERSION, oneOf(given, VERSION, List.of("IPv4", "IPv6")));
    properties.put(ALLOCATION, oneOf(given, ALLOCATION, List.of("Dynamic", "Static")));
    properties.put("idleTimeoutInMinutes", 4).putArray("ipTags");
    given.remove(Set.of(VERSION, ALLOCATION));
    properties.setAll(given);
    nameIt(properties, document);
    ArmJson.complete(properties, DEFAULTS);
    document.set("properties", properties);
    ArmJson.complete(document, STANDARD);
  }

  static ObjectNode complete(Resource resource, Set<String> used) {
    JsonNode properties = resource.properties();
    if (properties.has(ADDRESS) || !properties.path(ALLOCATION).asText().equals("Static")) {
      return resource.document();
    }
    boolean six = properties.path(VERSION).asText().equals("IPv6");
    ObjectNode leading = ArmJson.MAPPER.createObjectNode();
    leading.put(ADDRESS, Addresses.free(resource.guid(), six, used));
    leading.setAll((ObjectNode) properties);
    ObjectNode document = resource.document().deepCopy();
    document.set("properties", leading);
    return document;
  }

  private static void nameIt(ObjectNode properties, ObjectNode document) {
    if (properties.path("dnsSettings") instanceof ObjectNode dns && dns.has("domainNameLabel")) {
      String place = Links.place(document.path("location").asText(""));
      String label = dns.path("domainNameLabel").asText();
      dns.put("fqdn", label + "." + place + ".cloudapp.azure.com");
    }
  }

  private static String oneOf(ObjectNode properties, String member, List<String> allowed) {
    String given = properties.path(member).asText(allowed.getFirst());
    return allowed.stream()
        .filter(given::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(
            () ->
                ArmError.WRONG_VALUE.refused(
                    member, "one of " + String.join(", ", allowed), given));
  }
}
