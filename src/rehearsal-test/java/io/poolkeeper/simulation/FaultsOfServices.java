package io.poolkeeper.simulation;

import io.poolkeeper.admission.BindingsCore;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapCore;
import io.poolkeeper.service.ServiceMapEffect;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.service.ServiceMapState;
import io.poolkeeper.watch.WatchLiveness;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Faults of the map of Services, of watches, of what the controller does with bindings, and of what
 * it shows.
 */
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
              "stop no pool",
              new Mutation("process.Guardian", "stop", "VOID_METHOD_CALLS").on("startSingleTimer"),
              new Mutation("process.Guardian", "stop", "VOID_METHOD_CALLS")
                  .on("tell")
                  .number(3, 3)),
          new SeededFault(
              "count an outcome that was not said",
              new Mutation("ops.Reporter", "finished", "VOID_METHOD_CALLS").on("Metrics::count")),
          new SeededFault(
              "leave exchanges with ARM out of the metrics",
              new Mutation("ops.Metrics", "armAnswered", "VOID_METHOD_CALLS")),
          new SeededFault(
              "repair while a watch is lost",
              Around.without(
                  ServiceMapCore.class,
                  (state, event) -> event instanceof ServiceMapEvent.WatchLost)),
          new SeededFault(
              "take a watch without a connection for connected",
              Around.event(
                  WatchLiveness.class,
                  WatchLiveness.Seen.class,
                  seen -> new WatchLiveness.Seen(seen.delivered(), true))));

  static final List<SeededFault> BINDINGS =
      List.of(
          new SeededFault(
              "ignore the hold of a binding",
              Around.effect(
                  BindingsCore.class,
                  BindingsEffect.Bind.class,
                  bind ->
                      new BindingsEffect.Bind(bind.pool(), bind.bound().map(BoundPool::unheld)))),
          new SeededFault(
              "reset a check before its delay is over",
              new Mutation("admission.AdmissionChecks", "answered", "EXPERIMENTAL_NAKED_RECEIVER")
                  .on("Optional::filter")),
          new SeededFault(
              "take every entry of a bound pool for ours",
              new Mutation("model.Mark", "on", "TRUE_RETURNS")),
          new SeededFault(
              "remove the finalizer although addresses are in the pool",
              new Mutation("admission.Reconciliation", "mayLeave", "FALSE_RETURNS").number(1, 2)));

  static final List<SeededFault> SHOWN =
      List.of(
          new SeededFault(
              "say that all is well without a listing",
              new Mutation("service.ServiceMapObserver$Knowledge", "starts", "FALSE_RETURNS")),
          new SeededFault(
              "do not say which Services have no pool",
              new Mutation("status.Diagnosis", "ofProcess", "VOID_METHOD_CALLS")
                  .on("Diagnosis::withoutPool")),
          new SeededFault(
              "do not say which resource groups cannot be read",
              new Mutation("status.Diagnosis", "ofProcess", "VOID_METHOD_CALLS")
                  .on("Diagnosis::unread")));

  private FaultsOfServices() {}

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
