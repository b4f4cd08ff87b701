package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
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
  private static final Set<ChildKind> IN_NEED_OF_FRONTENDS =
      Set.of(ChildKind.RULE, ChildKind.NAT_RULE, ChildKind.NAT_POOL, ChildKind.OUTBOUND_RULE);

  private final Reading reading;
  private final LoadBalancerContent content;
  private final Map<ChildKind, Set<String>> names = new EnumMap<>(ChildKind.class);

  BalancerRules(Reading reading, LoadBalancerContent content) {
    this.reading = reading;
    this.content = content;
  }

  void check() {
    if (reading.stored()) {
      return;
    }
    int rules = content.children(ChildKind.RULE).size();
    ChildKind.RULE.checkCount(reading.id(), rules + content.children(ChildKind.NAT_RULE).size());
    checkFrontends();
    content.allPools().stream()
        .filter(Pool::ipBased)
        .forEach(pool -> Sku.refuseBasic(content.others(), pool.path(reading.id())));
    var references = new References(reading);
    for (ChildKind kind : ChildKind.values()) {
      for (Child part : content.children(kind)) {
        String id = kind.path(reading.id(), part.name());
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
      throw ArmError.NO_FRONTEND.refused(reading.id().path());
    }
  }

  private void checkPointers(String id, Child part) {
    for (BackReferences.Pointer pointer : BackReferences.Pointer.of(part)) {
      if (pointer.name(reading.id()).filter(name -> exists(pointer.target(), name)).isEmpty()) {
        throw ArmError.NO_SUCH_REFERENCE.refused(pointer.id(), id);
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

  private void checkOnePool(String rule, ObjectNode properties) {
    String one = properties.path("backendAddressPool").path("id").asText("");
    List<String> many = new ArrayList<>();
    properties.path("backendAddressPools").forEach(pool -> many.add(pool.path("id").asText("")));
    if (!one.isEmpty() && !many.isEmpty() && many.stream().noneMatch(one::equalsIgnoreCase)) {
      throw ArmError.TWO_POOLS.refused(rule);
    }
  }

  /** Refuses to delete a pool that a rule uses. */
  static void checkUnused(LoadBalancer balancer, Pool pool) {
    balancer.content().references().users(ChildKind.POOL, pool.name()).entrySet().stream()
        .findFirst()
        .ifPresent(
            users -> {
              String user = users.getValue().iterator().next();
              throw ArmError.POOL_IN_USE.refused(
                  pool.path(balancer.id()), users.getKey().path(balancer.id(), user));
            });
  }
}
