package io.poolkeeper.service;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The policy of the map: which Service owns which pools and what it wants there, when load
 * balancers are listed, and how a pool gets its knowledge back after its actor failed.
 *
 * <p>Invariants: no pool gets a level before this replica leads, all caches are synced and the load
 * balancers were listed once since it leads; a Service is released from one pool before it is
 * assigned to another; a pool that is out of scope is assigned to none.
 *
 * @param owners whether Services own pools at all
 * @param optIn see {@link Scope}
 */
public record ServiceMapCore(PoolNames names, boolean owners, boolean optIn)
    implements Core<ServiceMapState, ServiceMapEvent, ServiceMapEffect> {
  @Override
  public Decision<ServiceMapState, ServiceMapEffect> decide(
      ServiceMapState state, ServiceMapEvent event, Instant now, RandomGenerator random) {
    if (state.stopped()) {
      return Decision.of(state);
    }
    ServiceMapStep step = new ServiceMapStep(this, state, now, random);
    switch (event) {
      case ServiceMapEvent.ServicesChanged changed -> step.services(owning(changed.changes()));
      case ServiceMapEvent.SlicesChanged changed -> step.slices(changed.changes());
      case ServiceMapEvent.NodesChanged changed -> step.nodes(changed.changes());
      case ServiceMapEvent.NamespacesChanged changed -> step.namespaces(changed.changes());
      case ServiceMapEvent.WatchLost lost -> step.watchLost(lost.kind());
      case ServiceMapEvent.CacheSynced synced -> step.synced(synced.kind());
      case ServiceMapEvent.PeerWrote wrote -> step.peerWrote(wrote.service());
      case ServiceMapEvent.PeerWaits waits -> {
        return peerWaits(state, waits);
      }
      case ServiceMapEvent.PoolBound of -> step.bound(of.pool(), of.bound());
      case ServiceMapEvent.NodesOutOfService nodes -> step.outOfService(nodes.set());
      case ServiceMapEvent.Lead lead -> step.lead();
      case ServiceMapEvent.ListingGranted granted -> step.startListing();
      case ServiceMapEvent.LookGranted granted -> step.startLook();
      case ServiceMapEvent.Listed listed ->
          step.listed(listed.listing(), listed.startedAt(), names);
      case ServiceMapEvent.ListingFailed failed -> step.listingFailed(failed.failure());
      case ServiceMapEvent.PoolShown shown -> step.shown(shown.pool(), shown.startedAt());
      case ServiceMapEvent.Looked looked -> step.looked(looked.pools());
      case ServiceMapEvent.LookFailed failed -> step.lookFailed();
      case ServiceMapEvent.PoolReported reported ->
          step.reported(reported.pool(), reported.report());
      case ServiceMapEvent.PoolCrashed crashed -> step.crashed(crashed.pool());
      case ServiceMapEvent.TimerDue due -> step.timerDue();
      case ServiceMapEvent.Stop stop -> step.stop();
    }
    return step.decision();
  }

  private Map<ServiceKey, Optional<ServiceView>> owning(
      Map<ServiceKey, Optional<ServiceView>> changes) {
    if (owners) {
      return changes;
    }
    Map<ServiceKey, Optional<ServiceView>> none = new LinkedHashMap<>();
    changes.forEach((key, view) -> none.put(key, view.map(ServiceView::withoutPool)));
    return none;
  }

  /** Who may write events may name any Service; only one that the cloud provider serves counts. */
  private static Decision<ServiceMapState, ServiceMapEffect> peerWaits(
      ServiceMapState state, ServiceMapEvent.PeerWaits waits) {
    return state.cluster().hasLoadBalancer(waits.service())
        ? Decision.of(state, new ServiceMapEffect.PeerWaits(waits.service(), waits.since()))
        : Decision.of(state);
  }

  @Override
  public Optional<Instant> wakeAt(ServiceMapState state) {
    return state.wakeAt();
  }
}
