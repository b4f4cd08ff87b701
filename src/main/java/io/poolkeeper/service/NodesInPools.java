package io.poolkeeper.service;

import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.pool.AdminPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What pools hear of the nodes that are out of service, and which of them are followed because
 * nodes are in them, during one decision. Invariants: nothing is followed before nodes are known; a
 * pool out of scope hears nothing.
 */
final class NodesInPools {
  private final LivePools pools;
  private final Predicate<PoolId> out;
  private final List<ServiceMapEffect> effects;
  private Drains drains;

  /** What is sent is added to the effects; {@code out}: whether a pool is out of scope. */
  NodesInPools(
      Drains drains, LivePools pools, Predicate<PoolId> out, List<ServiceMapEffect> effects) {
    this.drains = drains;
    this.pools = pools;
    this.out = out;
    this.effects = effects;
  }

  Drains drains() {
    return drains;
  }

  /** Pools that hold a node drain at once. */
  void outOfService(OutOfService set, Instant now) {
    drains = drains.with(set, now);
    pools.inOrder().forEach(this::send);
  }

  void send(PoolId pool) {
    if (drains.known() && !out.test(pool)) {
      pools.send(pool, drains.event());
    }
  }

  void listing() {
    drains = drains.listing();
  }

  /** All pools that there are have been shown a listing. */
  void listed() {
    if (drains.listed() > 0) {
      effects.add(new ServiceMapEffect.ToNodes(new NodeEvent.Listed(drains.listed())));
    }
  }

  /**
   * Pools in which nodes are have an actor, too, if nobody owns them. The node watcher finds out
   * whose the interfaces are that do not say it.
   *
   * @return those that are followed only now
   */
  List<PoolId> follow(Map<PoolId, PoolView> all) {
    if (!drains.known()) {
      return List.of();
    }
    Set<String> interfaces =
        all.values().stream()
            .flatMap(AdminPlan::interfaces)
            .collect(Collectors.toUnmodifiableSet());
    if (!interfaces.equals(drains.interfaces())) {
      drains = drains.with(interfaces);
      effects.add(new ServiceMapEffect.ToNodes(new NodeEvent.InterfacesSeen(interfaces)));
    }
    pools.inOrder().stream()
        .filter(pool -> !all.containsKey(pool))
        .forEach(pool -> pools.holdsNodes(pool, false));
    List<PoolId> followed = new ArrayList<>();
    for (PoolId pool : LivePools.inOrder(all.keySet())) {
      boolean any = AdminPlan.concerns(Objects.requireNonNull(all.get(pool)), drains.set().nodes());
      if (pools.holdsNodes(pool, any)) {
        followed.add(pool);
      }
    }
    return followed;
  }
}
