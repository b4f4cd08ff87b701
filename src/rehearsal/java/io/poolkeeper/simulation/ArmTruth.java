package io.poolkeeper.simulation;

import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.armsim.model.ResourceMap.LoadBalancer;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What ARM holds of the pools that a rule sends to, and who hears of its changes. */
final class ArmTruth {
  private final Map<String, Set<String>> rules = new HashMap<>();
  private final TreeMap<String, Map<String, Shown>> shown = new TreeMap<>();
  private final List<WaitRules> followers = new ArrayList<>();

  /** Whether an entry is Down, and since when. */
  record Shown(boolean down, Instant since) {}

  void follow(WaitRules follower) {
    followers.add(follower);
  }

  void unfollow(WaitRules follower) {
    followers.remove(follower);
  }

  boolean hasRule(PoolId pool, String rule) {
    return rules
        .getOrDefault(pool.loadBalancer().path(), Set.of())
        .contains(pool.name() + " " + rule);
  }

  /** By the paths of the pools: their addresses, each with its state. */
  Map<String, Map<String, Shown>> shown() {
    return shown;
  }

  void operation(LoadBalancerId balancer, String operation, boolean runs) {
    followers.forEach(one -> one.operation(balancer, operation, runs));
  }

  /** A load balancer has these rules from now on; if they are others, all its pools are anew. */
  void arrange(LoadBalancerId id, Set<String> after) {
    if (!after.equals(rules.put(id.path(), after))) {
      own(id).keySet().forEach(pool -> followers.forEach(one -> one.gone(pool)));
    }
  }

  private Map<String, Map<String, Shown>> own(LoadBalancerId id) {
    return shown.subMap(id.path() + "/", id.path() + "0");
  }

  /** Something may have changed at a load balancer. */
  void look(LoadBalancerId id, Optional<LoadBalancer> balancer, boolean byOthers, Instant now) {
    Map<String, Map<String, Shown>> own = own(id);
    Map<String, Map<String, Shown>> before = new TreeMap<>(own);
    own.clear();
    Set<String> ownRules = balancer.isEmpty() ? Set.of() : rules.getOrDefault(id.path(), Set.of());
    for (String rule : ownRules) {
      String name = rule.substring(0, rule.indexOf(' '));
      String path = id.pool(name).path();
      Map<String, Shown> old = before.getOrDefault(path, Map.of());
      shown.put(path, shown(balancer.orElseThrow(), name, old, now));
    }
    Set<String> changed = new TreeSet<>(before.keySet());
    changed.addAll(own.keySet());
    changed.removeIf(path -> Objects.equals(own.get(path), before.get(path)));
    for (String path : changed) {
      Map<String, Shown> entries = own.getOrDefault(path, Map.of());
      followers.forEach(one -> one.holds(path, entries, byOthers));
    }
  }

  private static Map<String, Shown> shown(
      LoadBalancer balancer, String pool, Map<String, Shown> before, Instant now) {
    Map<String, Shown> found = new TreeMap<>();
    for (PoolMember member : balancer.members(pool).orElse(List.of())) {
      boolean down = member.adminState().equals(Optional.of("Down"));
      String ip = member.ip().orElse("");
      Shown old = before.get(ip);
      found.put(ip, old != null && old.down() == down ? old : new Shown(down, now));
    }
    return found;
  }
}
