package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /** Every pointer among the properties of a part. */
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
