package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the documents of load balancers and of their parts: as the client wrote them, without the
 * members that only the server sets, in the server's order.
 */
public final class BalancerDocument {
  /** High enough for any use, and low enough to bound memory. */
  private static final int UNDOCUMENTED = 5_000;

  private static final String ALLOCATION = "privateIPAllocationMethod";
  private static final String STATE = "provisioningState";
  private static final Set<String> OWN =
      Set.of("name", "id", "etag", "type", "location", "properties");
  private static final Set<String> OF_PART = Set.of("name", "id", "etag", "type", "properties");
  private static final Set<String> OWN_PROPERTIES =
      Stream.concat(
              Stream.of(STATE, "resourceGuid"),
              Embedded.OF_BALANCERS.stream().map(Embedded::member))
          .collect(Collectors.toUnmodifiableSet());

  /** What a client may write of a pool and of its entries, as {@code loadBalancer.json} has it. */
  private static final Map<Embedded, Set<String>> KNOWN =
      Map.of(
          Embedded.POOLS,
          Set.of(
              Embedded.ENTRIES.member(),
              "location",
              "tunnelInterfaces",
              "drainPeriodInSeconds",
              "virtualNetwork",
              "syncMode"),
          Embedded.ENTRIES,
          Set.of(
              PoolEntries.ADMIN_STATE,
              "ipAddress",
              "virtualNetwork",
              "subnet",
              NicMembers.MEMBER,
              "loadBalancerFrontendIPConfiguration"));

  private BalancerDocument() {}

  public static ObjectNode read(Reading reading, JsonNode body) {
    ResourceId.checkName(reading.id().name());
    Shape.TEXT.require("name", body.path("name"));
    tags(body);
    JsonNode given = body.path("properties");
    Shape.OBJECT.require("properties", given);
    ObjectNode properties = ArmJson.MAPPER.createObjectNode();
    Embedded.OF_BALANCERS.forEach(kind -> properties.putArray(kind.member()));
    for (Embedded kind : Embedded.OF_BALANCERS) {
      if (kind != Embedded.POOLS) {
        JsonNode array = given.path(kind.member());
        checkCount(reading.path(), kind, array.size());
        properties.set(kind.member(), parts(reading, kind, reading.path(), array));
      }
    }
    ObjectNode document = ArmJson.MAPPER.createObjectNode().put("location", location(body));
    JsonNode pools = given.path(Embedded.POOLS.member());
    properties.set(Embedded.POOLS.member(), parts(reading, Embedded.POOLS, reading.path(), pools));
    properties.setAll(ArmJson.without(given, OWN_PROPERTIES));
    document.setAll(Sku.settled(reading, ArmJson.without(body, OWN)));
    document.set("properties", properties);
    new BalancerRules(reading, document).check();
    return document;
  }

  /** The parts in an array, whose names must be valid and differ. */
  static ArrayNode parts(Reading reading, Embedded kind, String owner, JsonNode array) {
    ArrayNode parts = ArmJson.MAPPER.createArrayNode();
    Set<String> names = new HashSet<>();
    for (JsonNode item : ArmJson.objects(kind.member(), array)) {
      Shape.TEXT.require("name", item.path("name"));
      String name = Optional.ofNullable(item.path("name").textValue()).orElse("");
      boolean twice = !names.add(Names.fold(name));
      // A pool with a name that is taken is refused before it is read.
      if (!twice || kind != Embedded.POOLS) {
        parts.add(part(reading, kind, name, item));
      }
      boolean accepted =
          kind == Embedded.ENTRIES && reading.deviates(Deviation.DUPLICATE_NAME_ACCEPTED);
      if (twice && !accepted) {
        throw ArmError.DUPLICATE_NAME.refused(owner, name);
      }
    }
    return parts;
  }

  /** One part: a pool with its entries, one of these, a rule, a probe, a frontend. */
  public static ObjectNode part(Reading reading, Embedded kind, String name, JsonNode body) {
    ResourceId.checkName(name);
    JsonNode all = body.path("properties");
    Shape.OBJECT.require("properties", all);
    Shape.ARRAY.require("zones", body.path("zones"));
    ObjectNode given = ArmJson.without(all, readOnly(kind));
    Shape.check(given);
    if (kind == Embedded.FRONTENDS && !given.has(ALLOCATION)) {
      given.put(ALLOCATION, "Dynamic");
    }
    ObjectNode part = ArmJson.MAPPER.createObjectNode().put("name", name);
    ObjectNode properties = part.putObject("properties");
    if (kind == Embedded.POOLS) {
      properties.set(Embedded.ENTRIES.member(), new PoolEntries(reading, name).read(given, all));
    }
    for (String first : first(kind)) {
      if (given.has(first)) {
        properties.set(first, given.remove(first));
      }
    }
    properties.setAll(given);
    part.setAll(ArmJson.without(body, OF_PART));
    if (KNOWN.containsKey(kind) && reading.deviates(Deviation.UNKNOWN_DROPPED)) {
      part.retain("name", "properties");
      properties.retain(KNOWN.getOrDefault(kind, Set.of()));
    }
    return part;
  }

  /** Refuses members that only the server sets, in a pool's body and in its entries. */
  static void refuseReadOnly(JsonNode part) {
    for (String place : List.of("/id", "/etag", "/type", "/properties/" + STATE)) {
      if (!part.at(place).isMissingNode()) {
        throw ArmError.READ_ONLY.refused(place.substring(1).replace('/', '.'));
      }
    }
    PoolEntries.of(part).forEach(BalancerDocument::refuseReadOnly);
  }

  public static String location(JsonNode body) {
    Shape.TEXT.require("location", body.path("location"));
    String location = body.path("location").asText("");
    if (location.isBlank()) {
      throw ArmError.LOCATION_REQUIRED.refused();
    }
    return location;
  }

  /** The tags in a body, if it has any: texts by name, replaced as a whole. */
  public static Optional<ObjectNode> tags(JsonNode body) {
    JsonNode tags = body.path("tags");
    Shape.OBJECT.require("tags", tags);
    tags.properties().forEach(tag -> Shape.TEXT.require("tags." + tag.getKey(), tag.getValue()));
    return tags.isObject() ? Optional.of(ArmJson.without(tags, Set.of())) : Optional.empty();
  }

  /** Refuses more elements than Azure documents. */
  static void checkCount(String balancer, Embedded kind, int count) {
    switch (kind) {
      case FRONTENDS -> checkLimit(balancer, "FrontendIPConfigurationCount", 600, count);
      case RULES, NAT_RULES -> checkLimit(balancer, "LoadBalancerRuleCount", 1_500, count);
      case OUTBOUND_RULES -> checkLimit(balancer, "OutboundRuleCount", 600, count);
      case PROBES -> checkLimit(balancer, "ProbeCount", UNDOCUMENTED, count);
      default -> checkLimit(balancer, "InboundNatPoolCount", UNDOCUMENTED, count);
    }
  }

  /** The refusal has the form of Azure's other limits; code and text are not recorded. */
  static void checkLimit(String resource, String what, int limit, int found) {
    if (found > limit) {
      String message =
          "Resource %s exceeds the limit of %d of %s: found %d."
              .formatted(resource, limit, what, found);
      throw new Refused(ArmAnswer.provider(400, what + "LimitReached", message));
    }
  }

  /** Properties that a client may send back but that only the server sets. */
  private static Set<String> readOnly(Embedded kind) {
    return switch (kind) {
      case FRONTENDS ->
          Set.of(
              STATE, "inboundNatRules", "inboundNatPools", "outboundRules", "loadBalancingRules");
      case PROBES -> Set.of(STATE, "loadBalancingRules");
      case NAT_RULES -> Set.of(STATE, "backendIPConfiguration");
      case POOLS ->
          Set.of(
              STATE,
              Embedded.ENTRIES.member(),
              "backendIPConfigurations",
              "loadBalancingRules",
              "outboundRule",
              "outboundRules",
              "inboundNatRules");
      case ENTRIES -> Set.of(STATE, "inboundNatRulesPortMapping");
      default -> Set.of(STATE);
    };
  }

  private static List<String> first(Embedded kind) {
    return switch (kind) {
      case FRONTENDS -> List.of("privateIPAddress", ALLOCATION, "publicIPAddress", "subnet");
      case ENTRIES ->
          List.of(
              PoolEntries.ADMIN_STATE, "ipAddress", "virtualNetwork", "subnet", NicMembers.MEMBER);
      default -> List.of();
    };
  }
}
