package io.poolkeeper.armsim.resource;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of a load balancer that use a frontend, a pool or a probe: read-only members of those,
 * derived from the rules.
 *
 * @param byTarget ids of the users by their kind, by the folded id of what they use
 */
record BackReferences(Map<String, Map<Embedded, Set<String>>> byTarget) {
  private static final List<Embedded> USERS =
      List.of(Embedded.RULES, Embedded.OUTBOUND_RULES, Embedded.NAT_RULES, Embedded.NAT_POOLS);

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

  /** Those of a load balancer; none of any other resource. */
  static BackReferences of(Resource resource) {
    Map<String, Map<Embedded, Set<String>>> byTarget = new HashMap<>();
    String owner = resource.id().isBalancer() ? resource.id().path() : "";
    for (Embedded user : owner.isEmpty() ? List.<Embedded>of() : USERS) {
      for (JsonNode part : resource.array(user)) {
        for (Pointer pointer : Pointer.of(part)) {
          byTarget
              .computeIfAbsent(Names.fold(pointer.id()), id -> new EnumMap<>(Embedded.class))
              .computeIfAbsent(user, kind -> new LinkedHashSet<>())
              .add(user.path(owner, Embedded.name(part)));
        }
      }
    }
    return new BackReferences(byTarget);
  }

  Optional<String> user(String target) {
    return byTarget.getOrDefault(Names.fold(target), Map.of()).values().stream()
        .map(ids -> ids.iterator().next())
        .findFirst();
  }

  /** Writes the members of a part that show its users, if it has any. */
  void write(JsonGenerator out, Embedded kind, String target) throws IOException {
    Map<Embedded, Set<String>> users = byTarget.getOrDefault(Names.fold(target), Map.of());
    for (Embedded user : USERS) {
      List<String> ids = List.copyOf(users.getOrDefault(user, Set.of()));
      if (!ids.isEmpty()) {
        ArmJson.references(out, user.member(), ids);
        if (kind == Embedded.POOLS && user == Embedded.OUTBOUND_RULES) {
          out.writeFieldName("outboundRule");
          ArmJson.reference(out, ids.getFirst());
        }
      }
    }
  }
}
