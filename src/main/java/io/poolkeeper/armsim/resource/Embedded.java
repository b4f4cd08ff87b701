package io.poolkeeper.armsim.resource;

import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Children in an array of their parent's document that also have paths of their own. They are
 * stored in the parent only, and share its etag and state.
 */
enum Embedded {
  SUBNETS("virtualNetworks", "subnets"),
  PEERINGS("virtualNetworks", "virtualNetworkPeerings"),
  SECURITY_RULES("networkSecurityGroups", "securityRules"),
  DEFAULT_SECURITY_RULES("networkSecurityGroups", "defaultSecurityRules"),
  ROUTES("routeTables", "routes"),
  IP_CONFIGURATIONS("networkInterfaces", "ipConfigurations");

  private final String parent;
  private final String member;

  Embedded(String parent, String member) {
    this.parent = parent;
    this.member = member;
  }

  /** The name of the array and the last part of its elements' type. */
  String member() {
    return member;
  }

  /** Whether an element can be written alone. */
  boolean writable() {
    return this != DEFAULT_SECURITY_RULES && this != IP_CONFIGURATIONS;
  }

  /**
   * Whether a parent that is written without the array keeps its elements. Documented for subnets;
   * assumed for peerings.
   */
  boolean keptWhenAbsent() {
    return this == SUBNETS || this == PEERINGS;
  }

  static List<Embedded> of(ResourceId owner) {
    String last = owner.types().getLast();
    return Arrays.stream(values()).filter(array -> array.parent.equalsIgnoreCase(last)).toList();
  }

  /** The array that the id is an element of, if it is one. */
  static Optional<Embedded> holding(ResourceId child) {
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
}
