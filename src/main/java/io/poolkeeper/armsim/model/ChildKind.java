package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.model.LoadBalancerId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The arrays that every load balancer's document has, in the order of real answers. */
enum ChildKind {
  FRONTEND("frontendIPConfigurations", "FrontendIPConfiguration", 600),
  POOL("backendAddressPools", "BackendAddressPool", ChildKind.UNDOCUMENTED),
  RULE("loadBalancingRules", "LoadBalancerRule", 1_500),
  PROBE("probes", "Probe", ChildKind.UNDOCUMENTED),
  NAT_RULE("inboundNatRules", "LoadBalancerRule", 1_500),
  OUTBOUND_RULE("outboundRules", "OutboundRule", 600),
  NAT_POOL("inboundNatPools", "InboundNatPool", ChildKind.UNDOCUMENTED);

  /** High enough for any use, and low enough to bound memory. */
  private static final int UNDOCUMENTED = 5_000;

  private static final String STATE = "provisioningState";

  private final String member;
  private final String counted;
  private final int limit;

  /** The array, the name of its elements in the code of a limit, and how many there may be. */
  ChildKind(String member, String counted, int limit) {
    this.member = member;
    this.counted = counted;
    this.limit = limit;
  }

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

  String path(LoadBalancerId balancer, String name) {
    return balancer.path() + "/" + member + "/" + name;
  }

  /** Refuses more elements than Azure documents. */
  void checkCount(LoadBalancerId balancer, int count) {
    checkLimit(balancer.path(), counted + "Count", limit, count);
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
