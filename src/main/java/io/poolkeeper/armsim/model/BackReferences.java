package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules that use a frontend, a pool or a probe: read-only members of those, derived from the
 * rules. Immutable.
 *
 * @param byTarget names of the users by their kind, by the kind and folded name of what they use
 */
record BackReferences(Map<String, Map<ChildKind, Set<String>>> byTarget) {
  private static final List<ChildKind> USERS =
      List.of(ChildKind.RULE, ChildKind.OUTBOUND_RULE, ChildKind.NAT_RULE, ChildKind.NAT_POOL);

  /**
   * A reference between parts of one load balancer, such as from a rule to its pool.
   *
   * @param target the kind that it must lead to
   * @param id as the client wrote it
   */
  record Pointer(ChildKind target, String id) {
    private static final Map<String, ChildKind> TARGETS =
        Map.of(
            "frontendIPConfiguration", ChildKind.FRONTEND,
            "frontendIPConfigurations", ChildKind.FRONTEND,
            "backendAddressPool", ChildKind.POOL,
            "backendAddressPools", ChildKind.POOL,
            "probe", ChildKind.PROBE);

    static List<Pointer> of(Child part) {
      List<Pointer> pointers = new ArrayList<>();
      for (var member : part.properties().properties()) {
        ChildKind target = TARGETS.get(member.getKey());
        JsonNode value = member.getValue();
        if (target != null) {
          Iterable<JsonNode> references = value.isArray() ? value : List.of(value);
          references.forEach(to -> pointers.add(new Pointer(target, to.path("id").asText(""))));
        }
      }
      return pointers;
    }

    /** The folded name of the part of this load balancer that it leads to, if it leads to one. */
    Optional<String> name(LoadBalancerId balancer) {
      String prefix = Names.fold(target.path(balancer, ""));
      String folded = Names.fold(id);
      return folded.startsWith(prefix)
          ? Optional.of(folded.substring(prefix.length()))
          : Optional.empty();
    }
  }

  /** The back references of a load balancer, by its id and its parts. */
  static BackReferences of(LoadBalancerId balancer, Map<ChildKind, List<Child>> children) {
    Map<String, Map<ChildKind, Set<String>>> byTarget = new HashMap<>();
    for (ChildKind user : USERS) {
      for (Child part : children.getOrDefault(user, List.of())) {
        for (Pointer pointer : Pointer.of(part)) {
          pointer
              .name(balancer)
              .ifPresent(
                  name ->
                      byTarget
                          .computeIfAbsent(
                              key(pointer.target(), name), key -> new EnumMap<>(ChildKind.class))
                          .computeIfAbsent(user, kind -> new LinkedHashSet<>())
                          .add(part.name()));
        }
      }
    }
    return new BackReferences(Collections.unmodifiableMap(byTarget));
  }

  private static String key(ChildKind target, String name) {
    return target.member() + "/" + Names.fold(name);
  }

  /** The users of a part, by their kind. */
  Map<ChildKind, Set<String>> users(ChildKind target, String name) {
    return byTarget.getOrDefault(key(target, name), Map.of());
  }

  /** Writes the members of a part that show its users, if it has any. */
  void write(JsonGenerator out, LoadBalancerId balancer, ChildKind target, String name)
      throws IOException {
    Map<ChildKind, Set<String>> users = users(target, name);
    for (ChildKind user : USERS) {
      List<String> ids =
          users.getOrDefault(user, Set.of()).stream()
              .map(each -> user.path(balancer, each))
              .toList();
      if (!ids.isEmpty()) {
        ArmJson.references(out, user.member(), ids);
        if (target == ChildKind.POOL && user == ChildKind.OUTBOUND_RULE) {
          out.writeFieldName("outboundRule");
          ArmJson.reference(out, ids.getFirst());
        }
      }
    }
  }
}
