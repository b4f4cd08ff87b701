package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.NAMES;
import static io.poolkeeper.service.ServiceFixtures.RESYNC;
import static io.poolkeeper.service.ServiceFixtures.T0;
import static io.poolkeeper.service.ServiceFixtures.VERIFY_AFTER;
import static io.poolkeeper.service.ServiceFixtures.listing;
import static io.poolkeeper.service.ServiceFixtures.nodes;
import static io.poolkeeper.service.ServiceFixtures.services;
import static io.poolkeeper.service.ServiceFixtures.slices;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/** Feeds the map's core, event by event, on a clock that only the test moves. */
final class ServiceMapDriver {
  /** Always one half. */
  private static final RandomGenerator RANDOM = () -> Long.MIN_VALUE;

  private final ServiceMapCore core;
  private ServiceMapState state;
  private Instant now = T0;
  private Instant listingSince = T0;

  ServiceMapDriver() {
    this(VERIFY_AFTER);
  }

  /** With an updater that looks at what was written after so long. */
  ServiceMapDriver(Duration verifyAfter) {
    this(true, true, false, verifyAfter);
  }

  /** With an updater that is switched off. */
  static ServiceMapDriver withoutOwners() {
    return new ServiceMapDriver(true, false, false, VERIFY_AFTER);
  }

  /** With poolkeeper.opt-in. */
  static ServiceMapDriver optIn() {
    return new ServiceMapDriver(true, true, true, VERIFY_AFTER);
  }

  /** That manages load balancers of other names. */
  static ServiceMapDriver of(PoolNames names) {
    return new ServiceMapDriver(names, true, true, false, VERIFY_AFTER);
  }

  private ServiceMapDriver(boolean leads, boolean owners, boolean optIn, Duration verifyAfter) {
    this(NAMES, leads, owners, optIn, verifyAfter);
  }

  private ServiceMapDriver(
      PoolNames names, boolean leads, boolean owners, boolean optIn, Duration verifyAfter) {
    core = new ServiceMapCore(names, owners, optIn, RESYNC, verifyAfter);
    state = ServiceMapState.initial(leads, T0, verifyAfter);
  }

  /** Of a replica that does not lead. */
  static ServiceMapDriver standby() {
    return new ServiceMapDriver(false, true, false, VERIFY_AFTER);
  }

  ServiceMapState state() {
    return state;
  }

  Instant now() {
    return now;
  }

  ServiceMapDriver after(Duration duration) {
    now = now.plus(duration);
    return this;
  }

  List<ServiceMapEffect> send(ServiceMapEvent event) {
    Decision<ServiceMapState, ServiceMapEffect> decision = core.decide(state, event, now, RANDOM);
    state = decision.state();
    boolean lists =
        decision.effects().stream().anyMatch(ServiceMapEffect.RequestListing.class::isInstance);
    listingSince = lists ? now : listingSince;
    return decision.effects();
  }

  List<ServiceMapEffect> change(ServiceView... changed) {
    return send(new ServiceMapEvent.ServicesChanged(services(changed)));
  }

  List<ServiceMapEffect> change(SliceView... changed) {
    return send(new ServiceMapEvent.SlicesChanged(slices(changed)));
  }

  List<ServiceMapEffect> change(NodeView... changed) {
    return send(new ServiceMapEvent.NodesChanged(nodes(changed)));
  }

  void sync(CacheKind... kinds) {
    for (CacheKind kind : kinds) {
      send(new ServiceMapEvent.CacheSynced(kind));
    }
  }

  /** Starts the listing that is due, now or later, and answers it at once. */
  List<ServiceMapEffect> list(PoolView... pools) {
    startListing();
    return listed(listing(pools));
  }

  /** The listing that was started last ends. */
  List<ServiceMapEffect> listed(Listing listing) {
    return send(new ServiceMapEvent.Listed(listing, listingSince));
  }

  /** Moves the clock to when the next listing is due and starts it. */
  void startListing() {
    Instant due = state.schedule().due().orElseThrow();
    now = due.isAfter(now) ? due : now;
    if (send(new ServiceMapEvent.TimerDue()).stream()
        .noneMatch(ServiceMapEffect.RequestListing.class::isInstance)) {
      throw new AssertionError("no listing at " + now);
    }
  }
}
