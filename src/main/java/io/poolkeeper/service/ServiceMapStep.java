package io.poolkeeper.service;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolReport;
import io.poolkeeper.turnstile.TurnstileLimits;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One decision of the map: a working copy of its state that takes one event. */
final class ServiceMapStep extends WorkingMap {
  ServiceMapStep(ServiceMapCore core, ServiceMapState state, Instant now, RandomGenerator random) {
    super(core, state, now, random);
  }

  /** A load balancer Service that appears or changes may have been given a pool. */
  void services(Map<ServiceKey, Optional<ServiceView>> changes) {
    if (leadsSince.isPresent() && cluster.changesLoadBalancer(changes)) {
      schedule = schedule.ask(now);
    }
    effects.addAll(leadsSince.isPresent() ? ignored.services(changes, cluster) : List.of());
    boolean rescopes = scope.concerned(changes, cluster);
    cluster = cluster.withServices(changes);
    if (rescopes) {
      rescopeAll();
    }
    changed(changes.keySet());
  }

  void namespaces(Map<String, Optional<NamespaceView>> changes) {
    effects.addAll(leadsSince.isPresent() ? IgnoredManage.namespaces(changes, cluster) : List.of());
    Cluster before = cluster;
    cluster = cluster.withNamespaces(changes);
    if (!before.labels().equals(cluster.labels())) {
      rescopeAll();
    }
  }

  /** The bindings hear of it with the next listing. */
  private void rescopeAll() {
    schedule = leadsSince.isPresent() ? schedule.ask(now) : schedule;
    index.ifPresent(of -> rescope(scope.judged(of, cluster)));
  }

  /** A pool that goes out of scope loses its actor; one that comes back begins as a new one. */
  private void rescope(Set<PoolId> judged) {
    if (!ready()) {
      return;
    }
    PoolIndex before = index.orElseThrow();
    PoolIndex after = scope.judge(before, judged, cluster, bindings);
    index = Optional.of(after);
    List<PoolId> moved =
        judged.stream()
            .filter(pool -> before.touches(pool) != after.touches(pool))
            .filter(pool -> after.touches(pool) || pools.followed(pool))
            .toList();
    if (!moved.isEmpty()) {
      reconcile(everyone(), false);
      followNodes();
      LivePools.inOrder(moved).forEach(pools::forgetUnfollowed);
    }
  }

  void slices(Map<SliceView.Key, Optional<SliceView>> changes) {
    Set<ServiceKey> affected = cluster.servicesOf(changes);
    cluster = cluster.withSlices(changes);
    changed(affected);
    if (ready()
        && affected.stream()
            .filter(service -> scope.touches(cluster.owner(service)))
            .map(cluster.services()::get)
            .anyMatch(assignments::unmapped)) {
      schedule = schedule.ask(now);
    }
    if (ready() && affected.stream().anyMatch(assignments.all()::containsKey)) {
      // Even if no pool wants anything else now: the cloud provider's updater acts on each slice.
      schedule = schedule.lookWanted(now);
    }
  }

  private void changed(Set<ServiceKey> services) {
    fresh.addAll(starts ? services : Set.of());
    reconcile(services, true);
  }

  /** Affects Services on those nodes, and those whose level depends on which nodes are known. */
  void nodes(Map<NodeKey, Optional<NodeView>> changes) {
    Set<NodeKey> different = cluster.different(changes);
    if (!different.isEmpty()) {
      cluster = cluster.withNodes(changes);
      Set<ServiceKey> affected = cluster.servicesOn(different);
      affected.addAll(assignments.keepingUnknown());
      changed(affected);
    }
  }

  /** An event of one binding touches one pool. A binding asks for a listing once. */
  void bound(PoolId pool, Optional<BoundPool> next) {
    Optional<BoundPool> before = bindings.of(pool);
    bindings = bindings.with(pool, next);
    index = index.map(of -> of.bound(pool, next.isPresent()));
    if (ready() && pools.followed(pool)) {
      pools.send(pool, new PoolEvent.Bind(next));
    }
    rescope(Set.of(pool));
    // The first listing shows it anyway.
    boolean missing = index.filter(of -> !of.touches(pool)).isPresent();
    boolean asks = before.isEmpty() && next.flatMap(BoundPool::service).isPresent() && missing;
    schedule = asks ? schedule.soon(now) : schedule;
    if (!ready()) {
      return;
    }
    if (!before.map(BoundPool::unheld).equals(next.map(BoundPool::unheld))) {
      Stream.of(before, next)
          .flatMap(one -> one.flatMap(BoundPool::service).stream())
          .distinct()
          .forEach(
              service ->
                  assignments.reconcile(service, pool, index.orElseThrow(), cluster, bindings));
    }
    followLeaving(pool);
    if (next.isEmpty()) {
      // What happens to the nodes in it is no business of ours any more.
      pools.holdsNodes(pool, false);
      pools.forgetUnfollowed(pool);
    }
  }

  /** A pool whose binding is being deleted has an actor, whether or not it is known. */
  private void followLeaving(PoolId pool) {
    boolean leaving = bindings.of(pool).flatMap(BoundPool::leaving).isPresent();
    if (pools.leaves(pool, leaving)) {
      begin(pool);
    }
  }

  void watchLost(CacheKind kind) {
    boolean first = !watches.any();
    watches = watches.with(kind, assignments.nextNumber());
    if (first) {
      pools.inOrder().forEach(this::warn);
    }
  }

  /** A pool that was sent nothing yet hears first that what it will be sent may be old. */
  private void warn(PoolId pool) {
    if (watches.any()) {
      pools.send(pool, new PoolEvent.WatchLost(watches.firstUnseen()));
    }
  }

  void synced(CacheKind kind) {
    boolean wasReady = ready();
    boolean wereLost = watches.any();
    synced.add(kind);
    watches = watches.without(kind);
    if (wereLost && !watches.any()) {
      pools.inOrder().forEach(pool -> pools.send(pool, new PoolEvent.WatchesLive()));
    }
    if (!wasReady) {
      index.ifPresent(of -> rescope(scope.judged(of, cluster)));
      reconcile(cluster.services().keySet(), true);
      followNodes();
    }
  }

  /** Only pools that are followed are of interest. */
  void peerWrote(ServiceKey service) {
    if (assignments.all().containsKey(service)) {
      schedule = schedule.peerWrote(service, now);
    }
  }

  /** Pools that hold a node drain at once; a listing shows which others do. */
  void outOfService(OutOfService set) {
    Drains before = nodes.drains();
    if (before.differs(set)) {
      schedule = schedule.leaving(!set.leaving().isEmpty(), now);
      // Nothing else asks for looks when the last one is back; others may still write it Down.
      schedule = set.leaving().isEmpty() ? schedule.lookWanted(now) : schedule;
    }
    nodes.outOfService(set, now);
    if (!before.known() || !before.set().nodes().machines().equals(set.nodes().machines())) {
      followNodes();
    }
  }

  private void followNodes() {
    if (ready()) {
      nodes.follow(index.orElseThrow().touched()).forEach(this::begin);
      bindings.leaving().forEach(this::followLeaving);
    }
  }

  @Override
  void begin(PoolId pool) {
    bindings.of(pool).ifPresent(of -> pools.send(pool, new PoolEvent.Bind(Optional.of(of))));
    warn(pool);
    nodes.send(pool);
    show(pool);
  }

  /** As at the start of a process, but for the caches: others have written meanwhile. */
  void lead() {
    if (leadsSince.isEmpty()) {
      leadsSince = Optional.of(now);
      schedule = schedule.atOnce(now).lookWanted(now);
      effects.addAll(ignored.all(cluster));
    }
  }

  void startLook() {
    Instant deadline = now.plus(TurnstileLimits.LOOK);
    effects.add(new ServiceMapEffect.StartLook(schedule.peer().gets(), now, deadline));
  }

  void startListing() {
    Instant deadline = now.plus(ListingSchedule.LONGEST);
    effects.add(new ServiceMapEffect.StartListing(now, deadline));
  }

  void listed(Listing listing, Instant startedAt, PoolNames names) {
    boolean first = !ready();
    index = Optional.of(PoolIndex.of(listing, names, bindings.all(), current(), startedAt));
    if (!bindings.all().isEmpty()) {
      effects.add(index.get().bound(listing, bindings.all()));
    }
    boolean news = ready() && (adoptListing() || first);
    if (listing.failure().isPresent()) {
      // What other groups have shown counts, but this is not all that there is.
      schedule = schedule.failed(listing.failure().get(), now);
      return;
    }
    Set<ServiceKey> updating = assignments.having(schedule.peer().listing(), index.get()::updating);
    schedule = schedule.finished(news).shown(updating, now);
    // Nothing is proved before: no pool has an actor that could report.
    if (ready()) {
      nodes.listed();
    }
  }

  /** Where a Service has gone that has lost the pool only a listing shows. */
  void shown(PoolView view, Instant startedAt) {
    schedule = assignments.lost(view) ? schedule.ask(now) : schedule;
    if (pools.followed(view.id())) {
      pools.send(view.id(), new PoolEvent.Observed(view, startedAt));
    }
  }

  void looked(List<PoolView> views) {
    Set<PoolId> updating =
        views.stream().filter(PoolView::updating).map(PoolView::id).collect(Collectors.toSet());
    Set<ServiceKey> of = assignments.having(schedule.peer().looking(), updating::contains);
    schedule = schedule.looked(of, now);
  }

  void lookFailed() {
    schedule = schedule.lookFailed(now);
  }

  void listingFailed(ArmFailure failure) {
    schedule = schedule.failed(failure, now);
  }

  void reported(PoolId pool, PoolReport report) {
    switch (report) {
      case FAILING -> pools.fails(pool);
      case RECOVERED -> pools.recovers(pool, now);
      case LISTING_WANTED -> schedule = schedule.ask(now);
      case LOOK_WANTED -> schedule = schedule.lookWanted(now);
      case READ_BACK_WANTED -> schedule = schedule.drained(now);
    }
  }

  void crashed(PoolId pool) {
    pools.crashed(pool, now);
    schedule = schedule.ask(now);
  }

  /** Crashed pools get new actors. */
  void timerDue() {
    for (PoolId pool : pools.respawn(now)) {
      begin(pool);
      assignments.resend(pool);
    }
    pools.spreadRecovery(now);
    if (schedule.due().filter(due -> !due.isAfter(now)).isPresent()) {
      read();
    }
  }

  /** What fails is read by its own retries, and is shown with all others. */
  private void read() {
    List<PoolId> few = schedule.few(assignments.pools(schedule.peer().written()), now);
    if (!few.isEmpty() && few.stream().noneMatch(pools::failing)) {
      effects.add(new ServiceMapEffect.RequestLook());
      schedule = schedule.looking(few);
    } else if (schedule.inFlight()) {
      schedule = schedule.later(now);
    } else {
      effects.add(new ServiceMapEffect.RequestListing(schedule.cause(now)));
      schedule = schedule.started(now, random.nextDouble());
      nodes.listing();
    }
  }

  void stop() {
    stopped = true;
    pools.inOrder().forEach(pool -> pools.send(pool, new PoolEvent.Stop()));
  }

  /**
   * Moves Services to where the listing shows them, then shows every pool to its actor. Says
   * whether anything was moved.
   */
  private boolean adoptListing() {
    List<PoolId> known = pools.inOrder();
    rescope(scope.judged(index.orElseThrow(), cluster));
    reconcile(everyone(), false);
    followNodes();
    for (PoolId pool : known) {
      if (pools.followed(pool)) {
        show(pool);
      }
      pools.forgetUnfollowed(pool);
    }
    return assignments.changed();
  }

  /**
   * Sends the pools the changes between the last sent levels and those of the mirrors now.
   *
   * @param resend whether a failing pool is sent an unchanged level again: on news, not by a
   *     listing
   */
  private void reconcile(Collection<ServiceKey> services, boolean resend) {
    if (ready()) {
      services.stream()
          .sorted()
          .forEach(
              service ->
                  assignments.reconcile(service, index.orElseThrow(), cluster, bindings, resend));
    }
  }

  private Set<ServiceKey> everyone() {
    Set<ServiceKey> all = new HashSet<>(cluster.services().keySet());
    all.addAll(assignments.all().keySet());
    return all;
  }

  private void show(PoolId pool) {
    index.orElseThrow().shown(pool).ifPresent(seen -> pools.send(pool, seen));
  }
}
