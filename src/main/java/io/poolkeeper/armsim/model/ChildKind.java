package io.poolkeeper.armsim.model;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The arrays that every load balancer's document has, in the order of real answers. */
enum ChildKind {
  FRONTEND("frontendIPConfigurations"),
  POOL("backendAddressPools"),
  RULE("loadBalancingRules"),
  PROBE("probes"),
  NAT_RULE("inboundNatRules"),
  OUTBOUND_RULE("outboundRules"),
  NAT_POOL("inboundNatPools");

  private static final String STATE = "provisioningState";

  private final String member;

  ChildKind(String member) {
    this.member = member;
  }

  /** The kind that the path of a part names. */
  static ChildKind of(String member) {
    return Arrays.stream(values())
        .filter(kind -> kind.member.equals(member))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no kind of part: " + member));
  }

  /** The name of the array, which is also the last part of its elements' type. */
  String member() {
    return member;
  }

  /** Properties that a client may send back but that only the server sets. */
  Set<String> readOnly() {
    return switch (this) {
      case FRONTEND ->
          Set.of(
              STATE, "inboundNatRules", "inboundNatPools", "outboundRules", "loadBalancingRules");
      case PROBE -> Set.of(STATE, "loadBalancingRules");
      case NAT_RULE -> Set.of(STATE, "backendIPConfiguration");
      case POOL, RULE, OUTBOUND_RULE, NAT_POOL -> Set.of(STATE);
    };
  }

  /** Properties that lead the others. */
  List<String> first() {
    return switch (this) {
      case FRONTEND ->
          List.of("privateIPAddress", "privateIPAllocationMethod", "publicIPAddress", "subnet");
      case POOL, RULE, PROBE, NAT_RULE, OUTBOUND_RULE, NAT_POOL -> List.of();
    };
  }
}
