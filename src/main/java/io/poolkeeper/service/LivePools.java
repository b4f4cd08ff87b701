package io.poolkeeper.service;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/**
 * The live pools during one decision, and the events for them. Events for several pools are in the
 * order of their names, so that the same history has the same effects.
 */
final class LivePools {
  private final List<ServiceMapEffect> effects;
  private HashPMap<PoolId, LivePool> pools;
  private MapPSet<PoolId> crashed;
  private Recovery recovery;

  /**
   * The live pools between two decisions.
   *
   * @param crashed the pools that wait for a new actor
   */
  record Followed(HashPMap<PoolId, LivePool> all, MapPSet<PoolId> crashed, Recovery recovery) {
    static final Followed NONE =
        new Followed(HashTreePMap.empty(), HashTreePSet.empty(), Recovery.NONE);

    /** When new actors take over, and when failing pools may get the next sign. */
    Stream<Instant> wakeAt() {
      return Stream.concat(
          crashed.stream()
              .map(pool -> all.getOrDefault(pool, LivePool.NEW))
              .flatMap(pool -> pool.respawnAt().stream()),
          recovery.wakeAt().stream());
    }
  }

  LivePools(Followed before, List<ServiceMapEffect> effects) {
    pools = before.all();
    crashed = before.crashed();
    recovery = before.recovery();
    this.effects = effects;
  }

  Followed state() {
    return new Followed(pools, crashed, recovery);
  }

  List<PoolId> inOrder() {
    return inOrder(pools.keySet());
  }

  static List<PoolId> inOrder(Collection<PoolId> pools) {
    return pools.stream().sorted().toList();
  }

  /** A Service owns the pool. Returns whether the pool is new. */
  boolean own(PoolId pool, ServiceKey service) {
    return follow(pool, live(pool).owned(service));
  }

  /** The pool contains nodes of the cluster, or none. Returns whether it is followed only now. */
  boolean holdsNodes(PoolId pool, boolean nowHolds) {
    return follow(pool, live(pool).withHoldsNodes(nowHolds));
  }

  /** A binding of it is being deleted, or none. Returns whether it is followed only now. */
  boolean leaves(PoolId pool, boolean nowLeaves) {
    return follow(pool, live(pool).withLeaving(nowLeaves));
  }

  private boolean follow(PoolId pool, LivePool next) {
    boolean first = !pools.containsKey(pool) && next.followed();
    pools = next.equals(live(pool)) ? pools : pools.plus(pool, next);
    return first;
  }

  boolean followed(PoolId pool) {
    return live(pool).followed();
  }

  Set<ServiceKey> owners(PoolId pool) {
    return live(pool).owners();
  }

  boolean failing(PoolId pool) {
    return live(pool).failing();
  }

  void fails(PoolId pool) {
    change(pool, live -> live.withFailing(true));
  }

  void drops(PoolId pool) {
    change(pool, live -> live.withFailing(false));
  }

  /** A failing pool recovered, which is a sign that ARM has recovered for others, too. */
  void recovers(PoolId pool, Instant now) {
    if (failing(pool)) {
      drops(pool);
      recovers(now);
    }
  }

  /** ARM has recovered, for all that one can tell. */
  void recovers(Instant now) {
    recovery = recovery.wantSign();
    spreadRecovery(now);
  }

  /** Failing pools are sent a recovery, if it is time. Without any it costs no time. */
  void spreadRecovery(Instant now) {
    if (recovery.wakeAt().filter(due -> !due.isAfter(now)).isPresent()) {
      List<PoolId> failing = inOrder(pools.keySet().stream().filter(this::failing).toList());
      failing.forEach(other -> send(other, new PoolEvent.OtherRecovered()));
      recovery = failing.isEmpty() ? Recovery.NONE : Recovery.sentAt(now);
    }
  }

  void crashed(PoolId pool, Instant now) {
    change(pool, live -> live.crashed(now));
    crashed = pools.containsKey(pool) ? crashed.plus(pool) : crashed;
  }

  private void change(PoolId pool, UnaryOperator<LivePool> change) {
    LivePool live = pools.get(pool);
    if (live != null) {
      pools = pools.plus(pool, change.apply(live));
    }
  }

  /** Replaces failed actors. Returns their pools, whose new actors know nothing yet. */
  List<PoolId> respawn(Instant now) {
    List<PoolId> due =
        inOrder(crashed).stream().filter(pool -> live(pool).respawnDue(now)).toList();
    due.forEach(pool -> change(pool, LivePool::respawned));
    crashed = crashed.minusAll(due);
    return due;
  }

  void release(PoolId pool, ServiceKey service) {
    change(pool, live -> live.released(service));
    send(pool, new PoolEvent.Release(service));
  }

  /** Sends an event. A pool that waits for a new actor gets its levels with that one. */
  void send(PoolId pool, PoolEvent event) {
    if (live(pool).respawnAt().isEmpty()) {
      effects.add(new ServiceMapEffect.Send(pool, event));
    }
  }

  void emit(ObjectEvent event) {
    effects.add(new ServiceMapEffect.Emit(event));
  }

  void forgetUnfollowed(PoolId pool) {
    if (pools.containsKey(pool) && !followed(pool)) {
      pools = pools.minus(pool);
      crashed = crashed.minus(pool);
      effects.add(new ServiceMapEffect.Forget(pool));
    }
  }

  private LivePool live(PoolId pool) {
    return pools.getOrDefault(pool, LivePool.NEW);
  }
}
