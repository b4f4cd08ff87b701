package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The constraints between the parts of a load balancer: every pointer leads to an existing part,
 * all parts but pools and probes need a frontend, and no array is longer than documented. Azure's
 * answer to a rule without a frontend is unknown, so it is accepted.
 */
public final class BalancerRules {
  private static final Set<Embedded> IN_NEED_OF_FRONTENDS =
      Set.of(Embedded.RULES, Embedded.NAT_RULES, Embedded.NAT_POOLS, Embedded.OUTBOUND_RULES);

  private final Reading reading;
  private final ObjectNode document;
  private final String path;
  private final Map<Embedded, Set<String>> ids = new EnumMap<>(Embedded.class);

  public BalancerRules(Reading reading, ObjectNode document) {
    this.reading = reading;
    this.document = document;
    this.path = reading.path();
  }

  public void check() {
    if (reading.stored()) {
      return;
    }
    int rules = parts(Embedded.RULES).size() + parts(Embedded.NAT_RULES).size();
    BalancerDocument.checkCount(path, Embedded.RULES, rules);
    if (parts(Embedded.FRONTENDS).isEmpty()
        && IN_NEED_OF_FRONTENDS.stream().anyMatch(kind -> !parts(kind).isEmpty())) {
      throw ArmError.NO_FRONTEND.refused(path);
    }
    for (JsonNode pool : parts(Embedded.POOLS)) {
      if (PoolEntries.ipBased(pool)) {
        Sku.refuseBasic(document, Embedded.POOLS.path(path, Embedded.name(pool)));
      }
    }
    var references = new OutwardReferences(reading);
    for (Embedded kind : Embedded.OF_BALANCERS) {
      for (JsonNode part : kind == Embedded.POOLS ? List.<JsonNode>of() : parts(kind)) {
        String id = kind.path(path, Embedded.name(part));
        if (kind == Embedded.RULES) {
          checkOnePool(id, part.path("properties"));
        }
        references.check(id, part.path("properties"));
        checkPointers(id, part);
      }
    }
  }

  private JsonNode parts(Embedded kind) {
    return document.path("properties").path(kind.member());
  }

  private void checkPointers(String id, JsonNode part) {
    for (Pointer pointer : Pointer.of(part)) {
      if (!ids.computeIfAbsent(pointer.target(), this::idsOf).contains(Names.fold(pointer.id()))) {
        throw ArmError.NO_SUCH_REFERENCE.refused(pointer.id(), id);
      }
    }
  }

  private Set<String> idsOf(Embedded kind) {
    return parts(kind)
        .valueStream()
        .map(part -> Names.fold(kind.path(path, Embedded.name(part))))
        .collect(Collectors.toSet());
  }

  private static void checkOnePool(String rule, JsonNode properties) {
    String one = properties.path("backendAddressPool").path("id").asText("");
    List<String> many = new ArrayList<>();
    properties.path("backendAddressPools").forEach(pool -> many.add(pool.path("id").asText("")));
    if (!one.isEmpty() && !many.isEmpty() && many.stream().noneMatch(one::equalsIgnoreCase)) {
      throw ArmError.TWO_POOLS.refused(rule);
    }
  }

  public static void checkUnused(Resource balancer, String pool) {
    String id = Embedded.POOLS.path(balancer.id().path(), pool);
    Users.within(balancer).of(id).values().stream()
        .findFirst()
        .ifPresent(
            users -> {
              throw ArmError.POOL_IN_USE.refused(id, users.getFirst());
            });
  }

  /** A document whose rules do not name a pool any more, in a tree of its own. */
  static ObjectNode released(ObjectNode document, String pool) {
    ObjectNode copy = document.deepCopy();
    Predicate<JsonNode> leads = to -> to.path("id").asText("").equalsIgnoreCase(pool);
    for (Embedded kind : IN_NEED_OF_FRONTENDS) {
      for (JsonNode rule : copy.path("properties").path(kind.member())) {
        ObjectNode properties = (ObjectNode) rule.path("properties");
        properties.properties().removeIf(member -> leads.test(member.getValue()));
        if (properties.path("backendAddressPools") instanceof ArrayNode pools) {
          pools.removeIf(leads);
        }
      }
    }
    return copy;
  }

  /**
   * A reference between parts of one load balancer, such as from a rule to its pool.
   *
   * @param target the kind that it must lead to
   * @param id as the client wrote it
   */
  record Pointer(Embedded target, String id) {
    private static final Map<String, Embedded> TARGETS =
        Map.of(
            "frontendIPConfiguration", Embedded.FRONTENDS,
            "frontendIPConfigurations", Embedded.FRONTENDS,
            "backendAddressPool", Embedded.POOLS,
            "backendAddressPools", Embedded.POOLS,
            "probe", Embedded.PROBES);

    static List<Pointer> of(JsonNode part) {
      List<Pointer> pointers = new ArrayList<>();
      for (var member : part.path("properties").properties()) {
        Embedded target = TARGETS.get(member.getKey());
        JsonNode value = member.getValue();
        if (target != null) {
          Iterable<JsonNode> references = value.isArray() ? value : List.of(value);
          references.forEach(to -> pointers.add(new Pointer(target, to.path("id").asText(""))));
        }
      }
      return pointers;
    }
  }
}
