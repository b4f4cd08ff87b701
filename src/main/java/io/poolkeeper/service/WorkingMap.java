package io.poolkeeper.service;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.pool.AdminPlan;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.PoolEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.pcollections.HashPMap;

/**
 * A working copy of the state of the map of Services, which changes during one decision, and the
 * effects of that decision. A pool out of scope is sent no nodes, and no pool is followed for its
 * nodes before nodes are known.
 */
class WorkingMap {
  final Instant now;
  final Scope scope;
  final List<ServiceMapEffect> effects = new ArrayList<>();
  final LivePools pools;
  final Ownerships ownerships;

  /** Whether this leader is ready but for the first listing. */
  private final boolean starts;

  private final Set<ServiceKey> fresh;
  Cluster cluster;
  Bindings bindings;
  Caches caches;
  Optional<PoolIndex> index;
  ListingSchedule schedule;
  Drains drains;
  private HashPMap<ServiceKey, MissingPool> missing;
  Optional<Instant> leadsSince;

  WorkingMap(ServiceMapState state, Scope scope, Instant now) {
    this.now = now;
    this.scope = scope;
    pools = new LivePools(state.pools(), effects);
    ownerships = new Ownerships(state, pools, this::begin);
    cluster = state.cluster();
    bindings = state.bindings();
    caches = state.caches();
    index = state.index();
    schedule = state.schedule();
    drains = state.drains();
    missing = state.missing();
    leadsSince = state.leadsSince();
    fresh = new HashSet<>(state.fresh());
    starts = leadsSince.isPresent() && caches.complete() && !ready();
  }

  final Decision<ServiceMapState, ServiceMapEffect> decision(boolean stopped) {
    return new Decision<>(
        new ServiceMapState(
            cluster,
            bindings,
            caches,
            index,
            schedule,
            drains,
            ready() ? Set.of() : fresh,
            ownerships.sent(),
            missing,
            pools.state(),
            leadsSince,
            stopped),
        effects);
  }

  /** Whether enough is known to touch anything (architecture, Invariants). */
  final boolean ready() {
    return current().isPresent() && caches.complete();
  }

  /** The last listing, if this replica has led since before it began. */
  final Optional<PoolIndex> current() {
    return index.filter(known -> known.isSince(leadsSince));
  }

  final PoolIndex known() {
    return index.orElseThrow();
  }

  final void ask() {
    schedule = schedule.ask(now);
  }

  /** Judges all pools anew. The bindings receive the result with the next listing. */
  final void rescopeAll() {
    if (leadsSince.isPresent()) {
      ask();
    }
    index.ifPresent(known -> rescope(scope.judged(known, cluster)));
  }

  /** A pool that leaves the scope loses its actor; one that comes back begins with a new one. */
  final void rescope(Set<PoolId> judged) {
    if (!ready()) {
      return;
    }
    PoolIndex before = known();
    PoolIndex after = scope.judge(before, judged, cluster, bindings);
    index = Optional.of(after);
    effects.addAll(IgnoredManage.disputes(before, after, cluster));
    List<PoolId> moved =
        judged.stream()
            .filter(pool -> before.touches(pool) != after.touches(pool))
            .filter(pool -> after.touches(pool) || pools.followed(pool))
            .toList();
    if (!moved.isEmpty()) {
      reconcile(everyone(), false);
      follow();
      LivePools.inOrder(moved).forEach(pools::forgetUnfollowed);
    }
  }

  /**
   * Moves Services to the pools of the listing, then shows every pool to its actor. Returns whether
   * anything was moved.
   */
  final boolean adoptListing() {
    List<PoolId> known = pools.inOrder();
    rescope(scope.judged(known(), cluster));
    reconcile(everyone(), false);
    follow();
    for (PoolId pool : known) {
      if (pools.followed(pool)) {
        show(pool);
      }
      pools.forgetUnfollowed(pool);
    }
    miss(everyone(), known().last().startedAt());
    return ownerships.changed();
  }

  /**
   * Looks which of the Services lack a pool of their own. One whose pool no listing shows counts
   * from the first listing that could have shown it.
   *
   * @param since from when on those lack it that did not lack it before
   */
  final void miss(Collection<ServiceKey> services, Instant since) {
    if (ready()) {
      services.forEach(service -> miss(service, since));
    }
  }

  /** Whether the Service should have a pool that is managed, and has none. */
  private boolean lacksPool(ServiceView service) {
    return ownerships.unmapped(service)
        && scope.touches(cluster.owner(service.key()))
        && !known().ownsOut(service.key());
  }

  private void miss(ServiceKey key, Instant since) {
    Optional<ServiceView> lacking =
        Optional.ofNullable(cluster.services().get(key)).filter(this::lacksPool);
    Set<PoolId> owned = ownerships.ownedBy(key).keySet();
    Optional<LoadBalancerId> elsewhere =
        lacking
            .flatMap(known()::elsewhere)
            .filter(id -> owned.stream().noneMatch(pool -> pool.loadBalancer().equals(id)));
    MissingPool before = missing.get(key);
    boolean listed = before != null || !since.isAfter(known().last().startedAt());
    boolean due =
        listed
            && (owned.isEmpty() || ownerships.named(key) > 0)
            && scope.names().several()
            && lacking.filter(ServiceView::addressed).isPresent();
    if (elsewhere.isEmpty() && !due) {
      missing = missing.minus(key);
    } else {
      Instant first = before == null ? since : before.since();
      missing = missing.plus(key, new MissingPool(first, elsewhere));
    }
  }

  final void changed(Set<ServiceKey> services) {
    fresh.addAll(starts ? services : Set.of());
    reconcile(services, true);
    miss(services, now);
  }

  /**
   * Sends the pools the changes between the last sent levels and those of the mirrors now.
   *
   * @param resend whether a failing pool is sent an unchanged level again: on news, not by a
   *     listing
   */
  final void reconcile(Collection<ServiceKey> services, boolean resend) {
    if (ready()) {
      services.stream()
          .sorted()
          .forEach(service -> ownerships.reconcile(service, known(), cluster, bindings, resend));
    }
  }

  final Set<ServiceKey> everyone() {
    Set<ServiceKey> services = new HashSet<>(cluster.services().keySet());
    services.addAll(ownerships.sent().owned().keySet());
    return services;
  }

  /** Follows pools, owned or not, that contain nodes or whose bindings are being deleted. */
  final void follow() {
    if (ready()) {
      if (drains.known()) {
        followNodes(known().touched());
      }
      bindings.leaving().forEach(this::followLeaving);
    }
  }

  /** The node watcher reads which machines have the network interfaces. */
  private void followNodes(Map<PoolId, PoolView> touched) {
    Set<String> interfaces =
        touched.values().stream()
            .filter(AdminPlan::balanced)
            .flatMap(AdminPlan::interfaces)
            .collect(Collectors.toUnmodifiableSet());
    if (!interfaces.equals(drains.interfaces())) {
      drains = drains.withInterfaces(interfaces);
      effects.add(new ServiceMapEffect.ToNodes(new NodeEvent.InterfacesSeen(interfaces)));
    }
    pools.inOrder().stream()
        .filter(pool -> !touched.containsKey(pool))
        .forEach(pool -> pools.holdsNodes(pool, false));
    List<PoolId> begun = new ArrayList<>();
    for (PoolId pool : LivePools.inOrder(touched.keySet())) {
      PoolView view = Objects.requireNonNull(touched.get(pool));
      if (pools.holdsNodes(pool, AdminPlan.concerns(view, drains.set().nodes()))) {
        begun.add(pool);
      }
    }
    begun.forEach(this::begin);
  }

  /**
   * A pool whose binding is being deleted has an actor, also if no listing has shown it, but for
   * one of a load balancer that cannot be read.
   */
  final void followLeaving(PoolId pool) {
    boolean leaving =
        bindings.boundPool(pool).flatMap(BoundPool::leaving).isPresent()
            && !known().unreadable(pool);
    if (pools.leaves(pool, leaving)) {
      begin(pool);
    }
  }

  /** Sends a new actor what it must know before anything else. */
  final void begin(PoolId pool) {
    Optional<BoundPool> bound = bindings.boundPool(pool);
    if (bound.isPresent()) {
      pools.send(pool, new PoolEvent.Bind(bound));
    }
    warn(pool);
    sendNodes(pool);
    show(pool);
  }

  /** Sends a pool that was sent nothing yet first that its levels may be old. */
  final void warn(PoolId pool) {
    if (caches.anyLost()) {
      pools.send(pool, new PoolEvent.WatchLost(caches.firstUnseen()));
    }
  }

  final void sendNodes(PoolId pool) {
    if (drains.known() && index.filter(known -> known.out().containsKey(pool)).isEmpty()) {
      pools.send(pool, new PoolEvent.NodesOutOfService(drains.set(), drains.at()));
    }
  }

  private void show(PoolId pool) {
    known().shown(pool).ifPresent(seen -> pools.send(pool, seen));
  }
}
