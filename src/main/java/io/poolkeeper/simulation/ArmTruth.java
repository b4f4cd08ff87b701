package io.poolkeeper.simulation;

import io.poolkeeper.armsim.model.LoadBalancer;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What ARM holds of the pools that a rule sends to, and who hears of its changes. */
final class ArmTruth {
  private final Map<String, Set<String>> rules = new HashMap<>();
  private final Map<String, Map<String, Shown>> shown = new TreeMap<>();
  private final List<Follower> followers = new ArrayList<>();

  /** Pools whose rules have changed. */
  private final Set<PoolId> anew = new HashSet<>();

  /** Whether an entry is Down, and since when. */
  record Shown(boolean down, Instant since) {}

  /** Hears what becomes of ARM in truth. */
  interface Follower {
    /**
     * A pool holds other entries than before.
     *
     * @param entries empty if it is gone, or its rules are others
     */
    void holds(PoolId pool, Optional<Map<String, Shown>> entries, boolean byOthers);

    void operationBegins(LoadBalancerId balancer, String operation);

    void operationEnds(LoadBalancerId balancer, String operation);

    /** Rules have come or gone. */
    void rulesChanged();
  }

  void follow(Follower follower) {
    followers.add(follower);
  }

  void unfollow(Follower follower) {
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

  void begins(LoadBalancerId balancer, String operation) {
    followers.forEach(one -> one.operationBegins(balancer, operation));
  }

  void ends(LoadBalancerId balancer, String operation) {
    followers.forEach(one -> one.operationEnds(balancer, operation));
  }

  /** A load balancer has these rules from now on. Pools whose rules are others are shown anew. */
  void arrange(LoadBalancerId id, Set<String> after) {
    Set<String> before = Optional.ofNullable(rules.put(id.path(), after)).orElse(Set.of());
    Set<String> changed = new TreeSet<>(before);
    changed.addAll(after);
    changed.removeIf(rule -> before.contains(rule) && after.contains(rule));
    for (String rule : changed) {
      PoolId pool = id.pool(rule.substring(0, rule.indexOf(' ')));
      anew.add(pool);
      followers.forEach(one -> one.holds(pool, Optional.empty(), true));
    }
    if (!changed.isEmpty()) {
      followers.forEach(Follower::rulesChanged);
    }
  }

  /** Something may have changed at a load balancer. */
  void look(LoadBalancerId id, Optional<LoadBalancer> balancer, boolean byOthers, Instant now) {
    Map<String, Map<String, Shown>> before = new TreeMap<>();
    shown.keySet().stream()
        .filter(path -> path.startsWith(id.path() + "/"))
        .forEach(path -> before.put(path, shown.getOrDefault(path, Map.of())));
    shown.keySet().removeAll(before.keySet());
    Set<PoolId> there = new TreeSet<>(Comparator.comparing(PoolId::path));
    if (balancer.isPresent()) {
      for (String rule : rules.getOrDefault(id.path(), Set.of())) {
        PoolId pool = id.pool(rule.substring(0, rule.indexOf(' ')));
        Map<String, Shown> old = before.getOrDefault(pool.path(), Map.of());
        shown.computeIfAbsent(pool.path(), any -> shown(balancer.get(), pool, old, now));
        there.add(pool);
      }
    }
    tell(id, before, there, byOthers);
  }

  private static Map<String, Shown> shown(
      LoadBalancer balancer, PoolId pool, Map<String, Shown> before, Instant now) {
    Map<String, Shown> found = new TreeMap<>();
    for (PoolMember member : balancer.members(pool.name()).orElse(List.of())) {
      boolean down = member.adminState().equals(Optional.of("Down"));
      String ip = member.ip().orElse("");
      Shown old = before.get(ip);
      found.put(ip, old != null && old.down() == down ? old : new Shown(down, now));
    }
    return found;
  }

  private void tell(
      LoadBalancerId id,
      Map<String, Map<String, Shown>> before,
      Set<PoolId> there,
      boolean byOthers) {
    for (String path : before.keySet()) {
      if (!shown.containsKey(path)) {
        PoolId gone = id.pool(path.substring(path.lastIndexOf('/') + 1));
        followers.forEach(one -> one.holds(gone, Optional.empty(), byOthers));
      }
    }
    for (PoolId pool : there) {
      Map<String, Shown> entries = shown.getOrDefault(pool.path(), Map.of());
      boolean changed = !entries.equals(before.get(pool.path()));
      if (anew.remove(pool) || changed) {
        followers.forEach(one -> one.holds(pool, Optional.of(entries), byOthers));
      }
    }
  }
}
