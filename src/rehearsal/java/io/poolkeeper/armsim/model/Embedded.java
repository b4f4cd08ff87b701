package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.model.Names;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Children in an array of their parent's document that also have paths of their own. They are
 * stored in the parent only, and share its etag and state.
 */
public enum Embedded {
  SUBNETS("virtualNetworks", "subnets"),
  PEERINGS("virtualNetworks", "virtualNetworkPeerings"),
  SECURITY_RULES("networkSecurityGroups", "securityRules"),
  DEFAULT_SECURITY_RULES("networkSecurityGroups", "defaultSecurityRules"),
  ROUTES("routeTables", "routes"),
  IP_CONFIGURATIONS("networkInterfaces", "ipConfigurations"),

  FRONTENDS("loadBalancers", "frontendIPConfigurations"),
  POOLS("loadBalancers", ResourceId.POOLS),
  RULES("loadBalancers", "loadBalancingRules"),
  PROBES("loadBalancers", "probes"),
  NAT_RULES("loadBalancers", "inboundNatRules"),
  OUTBOUND_RULES("loadBalancers", "outboundRules"),
  NAT_POOLS("loadBalancers", "inboundNatPools"),

  ENTRIES(ResourceId.POOLS, "loadBalancerBackendAddresses");

  /** The arrays that every load balancer's document has, in the order of real answers. */
  static final Set<Embedded> OF_BALANCERS = EnumSet.range(FRONTENDS, NAT_POOLS);

  private static final Map<String, List<Embedded>> BY_PARENT =
      Arrays.stream(values()).collect(Collectors.groupingBy(array -> Names.fold(array.parent)));

  private final String parent;
  private final String member;

  Embedded(String parent, String member) {
    this.parent = parent;
    this.member = member;
  }

  /** The name of the array and the last part of its elements' type. */
  public String member() {
    return member;
  }

  boolean writable() {
    return switch (this) {
      case SUBNETS, PEERINGS, SECURITY_RULES, ROUTES, POOLS, NAT_RULES -> true;
      default -> false;
    };
  }

  /**
   * Whether a parent that is written without the array keeps its elements. Documented for subnets;
   * assumed for peerings.
   */
  boolean keptWhenAbsent() {
    return this == SUBNETS || this == PEERINGS;
  }

  /** As recorded, parts of a load balancer but pools have their type before their properties. */
  boolean typeLeads() {
    return OF_BALANCERS.contains(this) && this != POOLS;
  }

  static List<Embedded> of(ResourceId owner) {
    return in(owner.types().getLast());
  }

  /** The arrays in documents of a type, given its last part. */
  static List<Embedded> in(String type) {
    return BY_PARENT.getOrDefault(Names.fold(type), List.of());
  }

  public static Optional<Embedded> holding(ResourceId child) {
    return child.parent().stream()
        .flatMap(parent -> of(parent).stream())
        .filter(array -> array.member.equalsIgnoreCase(child.types().getLast()))
        .findFirst();
  }

  /** A part of a type in Azure's spelling, if it is known; otherwise as it is. */
  static String spelled(String type) {
    return Arrays.stream(values())
        .flatMap(array -> List.of(array.parent, array.member).stream())
        .filter(type::equalsIgnoreCase)
        .findFirst()
        .orElse(type);
  }

  String path(String owner, String name) {
    return owner + "/" + member + "/" + name;
  }

  public static String name(JsonNode element) {
    return element.path("name").asText("");
  }

  /** Replaces the element of the same name in a document, or appends it. */
  void place(ObjectNode document, ObjectNode element) {
    ArrayNode elements = elements(document);
    for (int i = 0; i < elements.size(); i++) {
      if (name(elements.get(i)).equalsIgnoreCase(name(element))) {
        elements.set(i, element);
        return;
      }
    }
    elements.add(element);
  }

  void remove(ObjectNode document, String name) {
    elements(document).removeIf(element -> name(element).equalsIgnoreCase(name));
  }

  private ArrayNode elements(ObjectNode document) {
    return document.withObject("/properties").withArray("/" + member);
  }

  /** A copy of a document that shares all but this array, whose elements can then be replaced. */
  ObjectNode copy(ObjectNode document) {
    ObjectNode properties = ArmJson.MAPPER.createObjectNode();
    properties.setAll((ObjectNode) document.path("properties"));
    properties.putArray(member).addAll((ArrayNode) document.path("properties").path(member));
    ObjectNode copy = ArmJson.MAPPER.createObjectNode();
    copy.setAll(document);
    return copy.set("properties", properties);
  }

  public ObjectNode with(ObjectNode document, ObjectNode element) {
    ObjectNode copy = copy(document);
    place(copy, element);
    return copy;
  }

  public ObjectNode without(ObjectNode document, String name) {
    ObjectNode copy = copy(document);
    remove(copy, name);
    return copy;
  }
}
