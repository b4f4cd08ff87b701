package io.poolkeeper.service;

import static io.poolkeeper.ratelimit.RateLimiterLimits.VERIFICATION;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
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
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.KnownNodes;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The policy of the map of Services: which Service owns which pools and what it wants there, when
 * load balancers are listed, and how a pool gets its knowledge back after its actor failed.
 *
 * <p>Invariants: no pool gets a level before this replica leads, all caches are synced and the load
 * balancers were listed once since it leads; a Service is released from one pool before it is
 * assigned to another; a pool that is out of scope is assigned to none.
 *
 * @param owners whether Services own pools at all
 * @param optIn see {@link Scope}
 * @param resync how often load balancers are listed at least
 * @param verifyAfter how long after a change the first verification comes; zero if none ever does
 */
public record ServiceMapCore(
    PoolNames names, boolean owners, boolean optIn, Duration resync, Duration verifyAfter)
    implements Core<ServiceMapState, ServiceMapEvent, ServiceMapEffect> {
  @Override
  public Decision<ServiceMapState, ServiceMapEffect> decide(
      ServiceMapState state, ServiceMapEvent event, Instant now, RandomGenerator random) {
    if (state.stopped()) {
      return Decision.of(state);
    }
    Step step = new Step(this, state, now, random);
    step.take(event);
    return step.decision(event instanceof ServiceMapEvent.Stop);
  }

  @Override
  public Optional<Instant> wakeAt(ServiceMapState state) {
    return state.wakeAt();
  }

  /** What each event changes. */
  private static final class Step extends WorkingMap {
    private final ServiceMapCore core;
    private final IgnoredManage ignored;
    private final RandomGenerator random;

    Step(ServiceMapCore core, ServiceMapState state, Instant now, RandomGenerator random) {
      super(state, new Scope(core.names(), core.optIn()), now);
      this.core = core;
      this.ignored = new IgnoredManage(core.owners());
      this.random = random;
    }

    void take(ServiceMapEvent event) {
      switch (event) {
        case ServiceMapEvent.ServicesChanged changed -> services(owning(changed.changes()));
        case ServiceMapEvent.SlicesChanged changed -> slices(changed.changes());
        case ServiceMapEvent.NodesChanged changed -> nodes(changed.changes());
        case ServiceMapEvent.NamespacesChanged changed -> namespaces(changed.changes());
        case ServiceMapEvent.WatchLost lost -> watchLost(lost.kind());
        case ServiceMapEvent.CacheSynced synced -> synced(synced.kind());
        case ServiceMapEvent.CloudProviderWrote wrote -> cloudProviderWrote(wrote.service());
        case ServiceMapEvent.CloudProviderWaits waits -> cloudProviderWaits(waits);
        case ServiceMapEvent.PoolBound bound -> poolBound(bound.pool(), bound.bound());
        case ServiceMapEvent.NodesOutOfService nodes -> outOfService(nodes.set());
        case ServiceMapEvent.Lead lead -> lead();
        case ServiceMapEvent.ListingGranted granted ->
            effects.add(
                new ServiceMapEffect.StartListing(
                    schedule.unread().waiting(now), now, now.plus(ListingSchedule.LONGEST)));
        case ServiceMapEvent.VerificationGranted granted ->
            effects.add(
                new ServiceMapEffect.StartVerification(
                    schedule.cloudProvider().gets(), now, now.plus(VERIFICATION)));
        case ServiceMapEvent.Listed listed -> {
          if (listed.counts(leadsSince)) {
            listed(listed.listing(), listed.startedAt());
          }
        }
        case ServiceMapEvent.PoolShown shown -> shown(shown.pool(), shown.startedAt());
        case ServiceMapEvent.Verified verified -> verified(verified.pools());
        case ServiceMapEvent.VerificationFailed failed -> schedule = schedule.unverified(now);
        case ServiceMapEvent.PoolReported reported -> reported(reported.pool(), reported.report());
        case ServiceMapEvent.PoolCrashed crashed -> {
          pools.crashed(crashed.pool(), now);
          ask();
        }
        case ServiceMapEvent.TimerDue due -> timerDue();
        case ServiceMapEvent.Stop stop -> sendAll(new PoolEvent.Stop());
      }
    }

    private void verify() {
      schedule = schedule.verify(core.verifyAfter(), now);
    }

    private void sendAll(PoolEvent event) {
      pools.inOrder().forEach(pool -> pools.send(pool, event));
    }

    private Map<ServiceKey, Optional<ServiceView>> owning(
        Map<ServiceKey, Optional<ServiceView>> changes) {
      if (core.owners()) {
        return changes;
      }
      Map<ServiceKey, Optional<ServiceView>> none = new LinkedHashMap<>();
      changes.forEach((key, view) -> none.put(key, view.map(ServiceView::withoutPool)));
      return none;
    }

    /** A load balancer Service that appears or changes may have a new pool. */
    private void services(Map<ServiceKey, Optional<ServiceView>> changes) {
      if (leadsSince.isPresent()) {
        schedule = cluster.changesLoadBalancer(changes) ? schedule.ask(now) : schedule;
        effects.addAll(ignored.services(changes, cluster));
      }
      boolean rescopes = scope.concerned(changes, cluster);
      cluster = cluster.withServices(changes);
      if (rescopes) {
        rescopeAll();
      }
      changed(changes.keySet());
    }

    private void namespaces(Map<String, Optional<NamespaceView>> changes) {
      if (leadsSince.isPresent()) {
        effects.addAll(IgnoredManage.namespaces(changes, cluster));
      }
      Cluster before = cluster;
      cluster = cluster.withNamespaces(changes);
      if (!before.labels().equals(cluster.labels())) {
        rescopeAll();
        miss(everyone(), now);
      }
    }

    private void slices(Map<SliceView.Key, Optional<SliceView>> changes) {
      Set<ServiceKey> affected = cluster.slices().servicesOf(changes);
      cluster = cluster.withSlices(changes);
      changed(affected);
      if (affected.stream().anyMatch(this::unmapped)) {
        ask();
      }
      if (ready() && affected.stream().anyMatch(ownerships.sent().owned()::containsKey)) {
        // No pool may want anything else now, but the cloud provider's updater acts on each slice.
        verify();
      }
    }

    /** Whether a listing may show a pool that the Service lacks. */
    private boolean unmapped(ServiceKey service) {
      return ready()
          && scope.touches(cluster.owner(service))
          && ownerships.unmapped(cluster.services().get(service));
    }

    /** Events about Services without a pool, and that need none, are ignored. */
    private void cloudProviderWrote(ServiceKey service) {
      if (ownerships.sent().owned().containsKey(service)) {
        schedule = schedule.cloudProviderWrote(service, now);
      } else if (unmapped(service)) {
        ask();
      }
    }

    /** Affects Services on those nodes, and those whose level depends on which nodes are known. */
    private void nodes(Map<NodeKey, Optional<NodeView>> changes) {
      Set<NodeKey> different = cluster.different(changes);
      if (!different.isEmpty()) {
        KnownNodes before = cluster.known();
        cluster = cluster.withNodes(changes);
        Set<ServiceKey> affected = cluster.slices().servicesOn(different);
        if (!before.equals(cluster.known())) {
          affected.addAll(ownerships.sent().keepingUnknown());
        }
        changed(affected);
      }
    }

    /** An event of one binding touches one pool; a hold moves no level. A binding lists once. */
    private void poolBound(PoolId pool, Optional<BoundPool> next) {
      Optional<BoundPool> before = bindings.boundPool(pool);
      bindings = bindings.with(pool, next);
      index = index.map(known -> known.withBound(pool, next.isPresent()));
      if (ready() && pools.followed(pool)) {
        pools.send(pool, new PoolEvent.Bind(next));
      }
      rescope(Set.of(pool));
      // The first listing shows the pool anyway.
      boolean missing = index.filter(known -> !known.touches(pool)).isPresent();
      boolean begins = before.isEmpty() && next.flatMap(BoundPool::service).isPresent();
      schedule = begins && missing ? schedule.askForBinding(now) : schedule;
      if (!ready()) {
        return;
      }
      if (!before.map(BoundPool::unheld).equals(next.map(BoundPool::unheld))) {
        Stream.of(before, next)
            .flatMap(bound -> bound.flatMap(BoundPool::service).stream())
            .distinct()
            .forEach(
                service -> {
                  ownerships.reconcile(service, pool, known(), cluster, bindings);
                  miss(Set.of(service), now);
                });
      }
      followLeaving(pool);
      if (next.isEmpty()) {
        // The nodes in the pool are not ours to follow any more.
        pools.holdsNodes(pool, false);
        pools.forgetUnfollowed(pool);
      }
    }

    private void watchLost(CacheKind kind) {
      boolean first = !caches.anyLost();
      caches = caches.lost(kind, ownerships.sent().nextNumber());
      if (first) {
        pools.inOrder().forEach(this::warn);
      }
    }

    private void synced(CacheKind kind) {
      boolean wasReady = ready();
      boolean wereLost = caches.anyLost();
      caches = caches.synced(kind);
      if (wereLost && !caches.anyLost()) {
        sendAll(new PoolEvent.WatchesLive());
      }
      if (!wasReady && ready()) {
        adoptListing();
      }
    }

    /** Anybody may name any Service in an event; it counts if the cloud provider serves it. */
    private void cloudProviderWaits(ServiceMapEvent.CloudProviderWaits waits) {
      if (cluster.hasLoadBalancer(waits.service())) {
        effects.add(new ServiceMapEffect.CloudProviderWaits(waits.service(), waits.since()));
      }
    }

    /** Followed pools drain at once; a listing shows which others contain the nodes. */
    private void outOfService(OutOfService set) {
      Drains before = drains;
      if (before.differs(set)) {
        schedule = schedule.leaving(!set.leaving().isEmpty(), now);
        // Nothing else asks to verify then, and other writers may still set the last node Down.
        schedule = set.leaving().isEmpty() ? schedule.verify(core.verifyAfter(), now) : schedule;
      }
      drains = drains.with(set, now);
      pools.inOrder().forEach(this::sendNodes);
      if (!before.known() || !before.set().nodes().machines().equals(set.nodes().machines())) {
        follow();
      }
    }

    /** This replica leads. As others have written meanwhile, only the caches are kept. */
    private void lead() {
      if (leadsSince.isEmpty()) {
        leadsSince = Optional.of(now);
        schedule = schedule.atOnce(now);
        verify();
        effects.addAll(ignored.all(cluster));
      }
    }

    /** A listing counts for the groups that it shows; one that shows none changes no pool. */
    private void listed(Listing shown, Instant startedAt) {
      boolean first = !ready();
      UnreadGroups unread = schedule.unread().after(shown, now);
      if (!unread.all().keySet().containsAll(schedule.unread().all().keySet())) {
        pools.recovers(now);
      }
      Listing listing = shown.with(unread.failures());
      PoolIndex next = PoolIndex.of(listing, core.names(), bindings.all(), current(), startedAt);
      if (!bindings.all().isEmpty()) {
        effects.add(next.toBindings(listing, bindings.all()));
      }
      index = unread.nothing() ? index : Optional.of(next);
      Optional<ArmFailure> unreadable = index.flatMap(PoolIndex::unreadableInUse);
      if (unreadable.isPresent()) {
        // No drain is over before its pools, whose actors end now, are seen again.
        effects.add(new ServiceMapEffect.ToNodes(NodeEvent.Listed.NOTHING));
      }
      boolean news = !unread.nothing() && ready() && (adoptListing() || first);
      Optional<ArmFailure> retried = leadsSince.isPresent() ? unreadable : Optional.empty();
      schedule = schedule.finished(news, unread.unreadable(retried, now));
      if (listing.failure().isEmpty()) {
        Set<ServiceKey> updating =
            ownerships.owningAny(schedule.cloudProvider().listing(), known()::updating);
        schedule = schedule.shown(updating, now);
        // Before, no pool has an actor that could report.
        if (unreadable.isEmpty() && ready() && drains.listed() > 0) {
          drainsListed(listing);
        }
      }
    }

    /**
     * Sends the node watcher that every pool that may need a drain has an actor, which reports it,
     * but for those of groups that cannot be read. Drains wait for these for a while, and for the
     * configured one until it is read, as nothing is known without it.
     */
    private void drainsListed(Listing listing) {
      Set<String> unread = new HashSet<>(listing.unread().keySet());
      unread.removeIf(
          group ->
              bindings.all().stream()
                  .filter(pool -> pool.loadBalancer().group().equals(group))
                  .allMatch(pools::followed));
      if (unread.stream().allMatch(group -> schedule.unread().waitedFor(group, now))) {
        effects.add(
            new ServiceMapEffect.ToNodes(
                new NodeEvent.Listed(
                    drains.listed(), known().unseen(pools::followed, drains.set()), unread)));
      }
    }

    /** A pool was read. Only a listing shows where a Service has gone whose rule it has lost. */
    private void shown(PoolView view, Instant startedAt) {
      if (ownerships.lost(view)) {
        ask();
      }
      if (pools.followed(view.id())) {
        pools.send(view.id(), new PoolEvent.Observed(view, startedAt));
      }
    }

    private void verified(List<PoolView> views) {
      Set<PoolId> updating =
          views.stream().filter(PoolView::updating).map(PoolView::id).collect(Collectors.toSet());
      Set<ServiceKey> services =
          ownerships.owningAny(schedule.cloudProvider().verifying(), updating::contains);
      schedule = schedule.verified(services, now);
    }

    private void reported(PoolId pool, PoolReport report) {
      switch (report) {
        case FAILING -> pools.fails(pool);
        case RECOVERED -> pools.recovers(pool, now);
        case DROPPED -> pools.drops(pool);
        case LISTING_WANTED -> ask();
        case VERIFICATION_WANTED -> verify();
        case READ_BACK_WANTED -> schedule = schedule.drained(now);
      }
    }

    /** Crashed pools get new actors. */
    private void timerDue() {
      for (PoolId pool : pools.respawn(now)) {
        begin(pool);
        ownerships.resend(pool);
      }
      pools.spreadRecovery(now);
      if (schedule.due().filter(due -> !due.isAfter(now)).isPresent()) {
        read();
      }
    }

    /** Reads what is due. Failing pools are read by their own retries, so a listing serves them. */
    private void read() {
      List<PoolId> few = schedule.few(ownerships.pools(schedule.cloudProvider().written()), now);
      if (!few.isEmpty() && few.stream().noneMatch(pools::failing)) {
        effects.add(new ServiceMapEffect.RequestVerification());
        schedule = schedule.verifying(few);
      } else if (schedule.inFlight()) {
        schedule = schedule.later(now);
      } else {
        effects.add(new ServiceMapEffect.RequestListing(schedule.cause(now)));
        schedule = schedule.started(core.resync(), now, random.nextDouble());
        drains = drains.listing();
      }
    }
  }
}
