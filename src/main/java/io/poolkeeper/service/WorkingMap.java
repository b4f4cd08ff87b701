package io.poolkeeper.service;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A working copy of the state of the map, which changes during one decision, and the effects. */
abstract class WorkingMap {
  final Instant now;
  final RandomGenerator random;
  final Set<CacheKind> synced = EnumSet.noneOf(CacheKind.class);
  final Set<ServiceKey> fresh = new HashSet<>();
  final boolean starts;
  final Scope scope;
  final IgnoredManage ignored;
  final List<ServiceMapEffect> effects = new ArrayList<>();
  final LivePools pools;
  final Assignments assignments;
  Cluster cluster;
  Bindings bindings;
  WatchesLost watches;
  Optional<PoolIndex> index;
  ListingSchedule schedule;
  final NodesInPools nodes;
  Optional<Instant> leadsSince;
  boolean stopped;

  WorkingMap(ServiceMapCore core, ServiceMapState state, Instant now, RandomGenerator random) {
    scope = new Scope(core.names(), core.optIn());
    ignored = new IgnoredManage(core.owners());
    this.now = now;
    this.random = random;
    synced.addAll(state.synced());
    pools = new LivePools(state, effects);
    assignments = new Assignments(state, pools, this::begin);
    cluster = state.cluster();
    bindings = state.bindings();
    watches = state.watches();
    index = state.index();
    schedule = state.schedule();
    nodes = new NodesInPools(state.drains(), pools, this::out, effects);
    leadsSince = state.leadsSince();
    fresh.addAll(state.fresh());
    starts = leadsSince.isPresent() && complete() && !ready();
  }

  Decision<ServiceMapState, ServiceMapEffect> decision() {
    return new Decision<>(
        new ServiceMapState(
            cluster,
            bindings,
            synced,
            watches,
            index,
            schedule,
            nodes.drains(),
            ready() ? Set.of() : fresh,
            assignments.all(),
            pools.all(),
            pools.crashed(),
            pools.recovery(),
            leadsSince,
            assignments.nextNumber(),
            stopped),
        effects);
  }

  /** What a new actor must know before anything else. */
  abstract void begin(PoolId pool);

  private boolean out(PoolId pool) {
    return index.filter(of -> of.out().containsKey(pool)).isPresent();
  }

  /** Whether enough is known to write at all: hands off before (architecture, Invariants). */
  final boolean ready() {
    return current().isPresent() && complete();
  }

  /** The last listing, if this replica has led since before it began. */
  final Optional<PoolIndex> current() {
    return index.filter(
        of -> leadsSince.filter(since -> !of.listedAt().isBefore(since)).isPresent());
  }

  final boolean complete() {
    return synced.size() == CacheKind.values().length;
  }
}
