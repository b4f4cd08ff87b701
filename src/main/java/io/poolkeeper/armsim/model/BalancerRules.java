package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The constraints between the parts of a load balancer: every pointer leads to an existing part,
 * all parts but pools and probes need a frontend, and no array is longer than documented. Azure's
 * answer to a rule without a frontend is unknown, so it is accepted.
 */
final class BalancerRules {
  private static final int MAX_FRONTENDS = 600;
  private static final int MAX_RULES = 1_500;
  private static final int MAX_OUTBOUND_RULES = 600;

  /** Not documented: high enough for any use, and low enough to bound memory. */
  private static final int MAX_OTHERS = 5_000;

  private static final Set<ChildKind> IN_NEED_OF_FRONTENDS =
      Set.of(ChildKind.RULE, ChildKind.NAT_RULE, ChildKind.NAT_POOL, ChildKind.OUTBOUND_RULE);

  private final Reading reading;
  private final LoadBalancerContent content;
  private final String balancer;
  private final Map<ChildKind, Set<String>> names = new EnumMap<>(ChildKind.class);

  BalancerRules(Reading reading, LoadBalancerContent content) {
    this.reading = reading;
    this.content = content;
    this.balancer = reading.id().path();
  }

  /** Refuses an array that is too long, before it is parsed. */
  static void checkCount(Reading reading, ChildKind kind, int count) {
    int limit =
        switch (kind) {
          case FRONTEND -> MAX_FRONTENDS;
          case RULE, NAT_RULE -> MAX_RULES;
          case OUTBOUND_RULE -> MAX_OUTBOUND_RULES;
          case POOL, PROBE, NAT_POOL -> MAX_OTHERS;
        };
    if (count > limit) {
      throw Limit.exceeded(reading.id().path(), name(kind) + "Count", limit, count);
    }
  }

  private static String name(ChildKind kind) {
    return switch (kind) {
      case FRONTEND -> "FrontendIPConfiguration";
      case POOL -> "BackendAddressPool";
      case RULE, NAT_RULE -> "LoadBalancerRule";
      case PROBE -> "Probe";
      case OUTBOUND_RULE -> "OutboundRule";
      case NAT_POOL -> "InboundNatPool";
    };
  }

  /** Refuses a client's content that breaks a rule. */
  void check() {
    if (reading.stored()) {
      return;
    }
    int rules = content.children(ChildKind.RULE).size();
    checkCount(reading, ChildKind.RULE, rules + content.children(ChildKind.NAT_RULE).size());
    checkFrontends();
    content.pools().all().stream()
        .filter(Pool::ipBased)
        .forEach(pool -> Sku.refuseBasic(content.others(), Pool.path(balancer, pool.name())));
    var references = new References(reading);
    for (ChildKind kind : ChildKind.values()) {
      for (Child part : content.children(kind)) {
        String id = balancer + "/" + kind.member() + "/" + part.name();
        if (kind == ChildKind.RULE) {
          checkOnePool(id, part.properties());
        }
        references.check(id, part.properties());
        checkPointers(id, part);
      }
    }
  }

  private void checkFrontends() {
    boolean needed =
        IN_NEED_OF_FRONTENDS.stream().anyMatch(kind -> !content.children(kind).isEmpty());
    if (needed && content.children(ChildKind.FRONTEND).isEmpty()) {
      throw new Refused(
          ArmAnswer.provider(
              400,
              "LoadBalancerWithoutFrontendIPCantHaveChildResources",
              "Load Balancer %s does not have Frontend IP Configuration, but it has other child"
                      .formatted(balancer)
                  + " resources. This setup is not supported."));
    }
  }

  private void checkPointers(String id, Child part) {
    for (Pointer pointer : Pointer.of(part)) {
      if (pointer.name(balancer).filter(name -> exists(pointer.target(), name)).isEmpty()) {
        throw new Refused(ArmAnswer.invalidReference(pointer.id(), id));
      }
    }
  }

  private boolean exists(ChildKind kind, String name) {
    return kind == ChildKind.POOL
        ? content.pool(name).isPresent()
        : names.computeIfAbsent(kind, this::namesOf).contains(name);
  }

  private Set<String> namesOf(ChildKind kind) {
    return content.children(kind).stream()
        .map(child -> Names.fold(child.name()))
        .collect(Collectors.toSet());
  }

  /** The code is Azure's own, with its typo; the text is not recorded. */
  private void checkOnePool(String rule, ObjectNode properties) {
    String one = properties.path("backendAddressPool").path("id").asText("");
    List<String> many = new ArrayList<>();
    properties.path("backendAddressPools").forEach(pool -> many.add(pool.path("id").asText("")));
    if (!one.isEmpty() && !many.isEmpty() && many.stream().noneMatch(one::equalsIgnoreCase)) {
      throw new Refused(
          ArmAnswer.provider(
              400,
              "LoadBalancingRuleBackendAdressPoolAndBackendAddressPoolsCannotBeSetAtTheSameTimeWithDifferentValue",
              "BackendAddressPool and BackendAddressPools of load balancing rule %s cannot be set at"
                      .formatted(rule)
                  + " the same time with different values."));
    }
  }

  /**
   * Refuses to delete a pool that a rule uses. Azure's code and text are not recorded; the code
   * follows those for other resources in use.
   */
  static void checkUnused(LoadBalancer balancer, Pool pool) {
    String path = balancer.id().path();
    balancer.content().references().users(ChildKind.POOL, pool.name()).entrySet().stream()
        .findFirst()
        .map(entry -> entry.getKey().member() + "/" + entry.getValue().iterator().next())
        .ifPresent(
            user -> {
              throw new Refused(
                  ArmAnswer.provider(
                      400,
                      "InUseBackendAddressPoolCannotBeDeleted",
                      "Backend address pool %s is used by %s/%s and cannot be deleted."
                          .formatted(Pool.path(path, pool.name()), path, user)));
            });
  }
}
