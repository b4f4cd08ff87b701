package io.poolkeeper.simulation;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The checker's own account of one turn: what was read in it, wished, sent, and found in ARM. */
final class Attempt {
  final PoolCell cell;
  final Instant grantedAt;
  final boolean evenIfUpdating;

  /** What ARM held at any time since the grant. */
  final List<Set<String>> contents = new ArrayList<>();

  /** What each Service was told to want at any time since the grant. */
  final Map<ServiceKey, List<Set<String>>> wishes = new HashMap<>();

  final Set<String> wished = new HashSet<>();
  final Set<String> read = new HashSet<>();
  String etag = "";
  boolean outstanding;
  boolean hasRead;
  boolean accepted;
  boolean lied;
  boolean lost;

  Attempt(PoolCell cell, Instant grantedAt, boolean evenIfUpdating) {
    this.cell = cell;
    this.grantedAt = grantedAt;
    this.evenIfUpdating = evenIfUpdating;
  }

  LoadBalancerId loadBalancer() {
    return cell.id.loadBalancer();
  }

  void wish(ServiceKey service, Set<String> members) {
    wished.addAll(members);
    wishes.computeIfAbsent(service, any -> new ArrayList<>()).add(members);
  }

  /** Whether ARM had, at some time of it, all that the Service wanted at some time of it. */
  boolean had(ServiceKey service) {
    return wishes.getOrDefault(service, List.of()).stream()
        .anyMatch(wish -> contents.stream().anyMatch(content -> content.containsAll(wish)));
  }
}
