package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The live pools during one decision, and what they are sent. What goes to several is in the order
 * of their names, so that the same history has the same effects.
 */
final class LivePools {
  private final Map<PoolId, LivePool> pools;
  private final List<ServiceMapEffect> effects;

  /** A working copy; what is sent is added to the effects. */
  LivePools(Map<PoolId, LivePool> pools, List<ServiceMapEffect> effects) {
    this.pools = new HashMap<>(pools);
    this.effects = effects;
  }

  Map<PoolId, LivePool> all() {
    return pools;
  }

  List<PoolId> inOrder() {
    return inOrder(pools.keySet());
  }

  static List<PoolId> inOrder(Collection<PoolId> pools) {
    return pools.stream().sorted(Comparator.comparing(PoolId::path)).toList();
  }

  /** Says whether the pool was not there. */
  boolean add(PoolId pool) {
    return pools.putIfAbsent(pool, LivePool.NEW) == null;
  }

  boolean failing(PoolId pool) {
    return live(pool).failing();
  }

  void fails(PoolId pool) {
    pools.computeIfPresent(pool, (id, live) -> live.failing(true));
  }

  /**
   * A failing pool has recovered: a sign to all others that ARM has recovered, too. It is none if
   * the pool is unowned, as it recovers then without a success of ARM.
   */
  void recovers(PoolId pool, boolean owned) {
    if (!failing(pool)) {
      return;
    }
    pools.put(pool, live(pool).failing(false));
    if (owned) {
      inOrder().stream()
          .filter(this::failing)
          .forEach(other -> send(other, new PoolEvent.OtherRecovered()));
    }
  }

  void crashed(PoolId pool, Instant now) {
    pools.computeIfPresent(pool, (id, live) -> live.crashed(now));
  }

  /** The pools that get a new actor, which knows nothing yet. */
  List<PoolId> respawn(Instant now) {
    List<PoolId> due = inOrder().stream().filter(pool -> live(pool).respawnDue(now)).toList();
    due.forEach(pool -> pools.put(pool, live(pool).respawned()));
    return due;
  }

  /** What a pool misses while it waits for a new actor, that one is sent. */
  void send(PoolId pool, PoolEvent event) {
    if (live(pool).respawnAt().isEmpty()) {
      effects.add(new ServiceMapEffect.Send(pool, event));
    }
  }

  void forget(PoolId pool) {
    pools.remove(pool);
    effects.add(new ServiceMapEffect.Forget(pool));
  }

  private LivePool live(PoolId pool) {
    return pools.getOrDefault(pool, LivePool.NEW);
  }
}
