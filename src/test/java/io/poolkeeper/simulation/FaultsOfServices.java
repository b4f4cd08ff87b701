package io.poolkeeper.simulation;

import io.poolkeeper.admission.BindingsCore;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.kube.WatchLiveness;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.Bound;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.PoolCore;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.Terms;
import io.poolkeeper.service.Bindings;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapCore;
import io.poolkeeper.service.ServiceMapEffect;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.service.ServiceMapState;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Faults of the map of Services, of watches, and of what the controller does with bindings. */
final class FaultsOfServices {
  static final List<SeededFault> SERVICES =
      List.of(
          new SeededFault(
              "act before the caches have synced",
              Around.core(ServiceMapCore.class, SyncedAtOnce::new)),
          new SeededFault(
              "leave a crashed pool dead",
              Around.without(
                  ServiceMapCore.class,
                  (state, event) -> event instanceof ServiceMapEvent.PoolCrashed)),
          new SeededFault(
              "never look again",
              new Mutation("service.ListingSchedule", "lookWanted", "EXPERIMENTAL_NAKED_RECEIVER")
                  .on("ListingSchedule::with"),
              new Mutation("service.ListingSchedule", "peerWrote", "EXPERIMENTAL_NAKED_RECEIVER")
                  .on("ListingSchedule::with")),
          new SeededFault(
              "repair while a watch is lost",
              Around.without(
                  ServiceMapCore.class,
                  (state, event) -> event instanceof ServiceMapEvent.WatchLost)),
          new SeededFault(
              "leave a half-open watch to the client",
              Around.event(
                  WatchLiveness.class,
                  WatchLiveness.Seen.class,
                  seen ->
                      new WatchLiveness.Seen(
                          seen.delivered(), seen.connected(), seen.heard(), false))));

  static final List<SeededFault> BINDINGS =
      List.of(
          new SeededFault(
              "ignore the hold of a binding",
              Around.effect(
                  BindingsCore.class,
                  BindingsEffect.Bind.class,
                  bind -> new BindingsEffect.Bind(unheld(bind.bindings())))),
          new SeededFault(
              "reset a check before its delay is over",
              new Mutation("admission.AdmissionChecks", "answered", "EXPERIMENTAL_NAKED_RECEIVER")
                  .on("Optional::filter")),
          new SeededFault(
              "record after the write",
              Around.event(
                  PoolCore.class,
                  PoolEvent.Desire.class,
                  desire -> new PoolEvent.Desire(desire.assignment(), unrecorded(desire.level())))),
          new SeededFault(
              "remove the finalizer although addresses are in the pool",
              new Mutation("admission.Reconciliation", "cleaned", "TRUE_RETURNS")));

  private FaultsOfServices() {}

  private static Bindings unheld(Bindings bindings) {
    Map<PoolId, Terms> terms =
        bindings.terms().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, one -> unheld(one.getValue())));
    return new Bindings(bindings.version(), bindings.pools(), terms, unheld(bindings.others()));
  }

  private static Terms unheld(Terms terms) {
    return new Terms(Optional.empty(), false, terms.maxRetries(), terms.interval());
  }

  /** All that is wanted counts as recorded. */
  private static Level unrecorded(Level level) {
    return level instanceof Level.Exactly exactly
        ? new Level.Exactly(
            exactly.members(),
            exactly.keepUnknown(),
            exactly.bound().map(bound -> unrecorded(bound, exactly.members().keySet())))
        : level;
  }

  private static Bound unrecorded(Bound bound, Set<Address> wanted) {
    Set<Address> added = new HashSet<>(bound.added());
    added.addAll(wanted);
    Set<Address> kept = new HashSet<>(bound.kept());
    kept.addAll(wanted);
    return new Bound(bound.shared(), added, kept);
  }

  /** Takes every cache for filled before the first event. */
  private static final class SyncedAtOnce
      extends Faulty<ServiceMapState, ServiceMapEvent, ServiceMapEffect> {
    private boolean begun;

    SyncedAtOnce(Core<ServiceMapState, ServiceMapEvent, ServiceMapEffect> own) {
      super(own);
    }

    @Override
    public Decision<ServiceMapState, ServiceMapEffect> decide(
        ServiceMapState state, ServiceMapEvent event, Instant now, RandomGenerator random) {
      Decision<ServiceMapState, ServiceMapEffect> decision = Decision.of(state);
      for (CacheKind kind : begun ? new CacheKind[0] : CacheKind.values()) {
        ServiceMapEvent synced = new ServiceMapEvent.CacheSynced(kind);
        decision = decision.then(own.decide(decision.state(), synced, now, random));
      }
      begun = true;
      return decision.then(own.decide(decision.state(), event, now, random));
    }
  }
}
