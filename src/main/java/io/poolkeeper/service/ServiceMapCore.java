package io.poolkeeper.service;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The policy of the map: which Service owns which pools and what it wants there, when load
 * balancers are listed, and how a pool gets its knowledge back after its actor failed.
 *
 * <p>Invariants: no pool gets a level before all caches are synced and the load balancers were
 * listed once; a Service is released from one pool before it is assigned to another.
 */
public final class ServiceMapCore
    implements Core<ServiceMapState, ServiceMapEvent, ServiceMapEffect> {
  static final Duration FIRST_RESPAWN = Duration.ofSeconds(1);
  static final Duration MAX_RESPAWN = Duration.ofSeconds(30);
  static final Duration CRASH_MEMORY = Duration.ofMinutes(5);

  private final PoolNames names;

  public ServiceMapCore(PoolNames names) {
    this.names = names;
  }

  @Override
  public Decision<ServiceMapState, ServiceMapEffect> decide(
      ServiceMapState state, ServiceMapEvent event, Instant now, RandomGenerator random) {
    if (state.stopped()) {
      return Decision.of(state);
    }
    ServiceMapStep step = new ServiceMapStep(state);
    switch (event) {
      case ServiceMapEvent.ServicesChanged changed -> onServices(step, changed.changes(), now);
      case ServiceMapEvent.SlicesChanged changed -> onSlices(step, changed, now);
      case ServiceMapEvent.NodesChanged changed -> onNodes(step, changed);
      case ServiceMapEvent.CacheSynced synced -> onSynced(step, synced.kind());
      case ServiceMapEvent.ListingGranted granted ->
          step.effects.add(new ServiceMapEffect.StartListing());
      case ServiceMapEvent.Listed listed -> onListed(step, listed);
      case ServiceMapEvent.ListingFailed failed -> {
        step.listingFailure = Optional.of(failed.failure());
        step.schedule = step.schedule.failed(now);
      }
      case ServiceMapEvent.PoolReported reported -> {
        switch (reported.report()) {
          case FAILING -> step.markFailing(reported.pool());
          case RECOVERED -> step.recover(reported.pool());
          case LISTING_WANTED -> step.schedule = step.schedule.ask(now);
        }
      }
      case ServiceMapEvent.PoolCrashed crashed -> onCrashed(step, crashed.pool(), now);
      case ServiceMapEvent.TimerDue due -> onTimerDue(step, now);
      case ServiceMapEvent.Stop stop -> step.stop();
    }
    return step.decision();
  }

  @Override
  public Optional<Instant> wakeAt(ServiceMapState state) {
    return state.wakeAt();
  }

  private static void onServices(
      ServiceMapStep step, Map<ServiceKey, Optional<ServiceView>> changes, Instant now) {
    boolean worthAListing =
        changes.entrySet().stream()
            .anyMatch(
                change -> isNews(step.cluster.services(), change.getKey(), change.getValue()));
    if (worthAListing) {
      step.schedule = step.schedule.ask(now);
    }
    step.cluster = step.cluster.withServices(changes);
    step.reconcile(changes.keySet());
  }

  /** A load balancer Service that appears or changes may have been given a pool. */
  private static boolean isNews(
      Map<ServiceKey, ServiceView> known, ServiceKey key, Optional<ServiceView> now) {
    return now.filter(ServiceView::loadBalancer)
        .map(view -> !view.equals(known.get(key)))
        .orElse(false);
  }

  private static void onSlices(
      ServiceMapStep step, ServiceMapEvent.SlicesChanged changed, Instant now) {
    Set<ServiceKey> affected = new HashSet<>();
    changed
        .changes()
        .forEach(
            (key, slice) -> {
              Optional.ofNullable(step.cluster.sliceOwners().get(key)).ifPresent(affected::add);
              slice.ifPresent(present -> affected.add(present.service()));
            });
    step.cluster = step.cluster.withSlices(changed.changes());
    step.reconcile(affected);
    if (step.ready() && affected.stream().anyMatch(step::unmapped)) {
      step.schedule = step.schedule.ask(now);
    }
  }

  private static void onNodes(ServiceMapStep step, ServiceMapEvent.NodesChanged changed) {
    Map<NodeKey, ?> before = step.cluster.nodes();
    Set<NodeKey> different = new HashSet<>();
    changed
        .changes()
        .forEach(
            (key, node) -> {
              if (!Optional.ofNullable(before.get(key)).equals(node)) {
                different.add(key);
              }
            });
    if (!different.isEmpty()) {
      step.cluster = step.cluster.withNodes(changed.changes());
      step.reconcile(step.withKeepingUnknown(step.cluster.servicesOn(different)));
    }
  }

  private static void onSynced(ServiceMapStep step, CacheKind kind) {
    boolean wasReady = step.ready();
    step.synced.add(kind);
    if (!wasReady && step.ready()) {
      step.begin();
    }
  }

  private void onListed(ServiceMapStep step, ServiceMapEvent.Listed listed) {
    boolean wasReady = step.ready();
    step.index = Optional.of(PoolIndex.of(listed.loadBalancers(), names));
    step.listedAt = step.schedule.lastStart();
    step.listingFailure = Optional.empty();
    if (!step.ready()) {
      step.schedule = step.schedule.finished(false);
    } else if (!wasReady) {
      step.schedule = step.schedule.finished(true);
      step.begin();
    } else {
      // Not in one expression: what is forgotten may change the schedule itself.
      boolean moved = step.adoptListing();
      step.schedule = step.schedule.finished(moved);
    }
  }

  private static void onCrashed(ServiceMapStep step, PoolId pool, Instant now) {
    int count =
        Optional.ofNullable(step.crashes.get(pool))
                .filter(last -> last.at().plus(CRASH_MEMORY).isAfter(now))
                .map(ServiceMapState.Crash::count)
                .orElse(0)
            + 1;
    Duration wait = FIRST_RESPAWN.multipliedBy(1L << Math.min(count - 1, 5));
    Instant at = now.plus(wait.compareTo(MAX_RESPAWN) > 0 ? MAX_RESPAWN : wait);
    step.crashes.put(pool, new ServiceMapState.Crash(count, now, Optional.of(at)));
    step.schedule = step.schedule.ask(now);
  }

  private static void onTimerDue(ServiceMapStep step, Instant now) {
    step.respawnDue(now);
    if (step.schedule.due().map(due -> !due.isAfter(now)).orElse(false)) {
      step.schedule = step.schedule.started(now);
      step.effects.add(new ServiceMapEffect.RequestListing());
    }
  }
}
