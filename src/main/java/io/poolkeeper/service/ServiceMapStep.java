package io.poolkeeper.service;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.pool.Assigned;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.service.ServiceMapState.Crash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One decision in the making: the next state under construction, local to one call of the core, and
 * the effects so far.
 */
final class ServiceMapStep {
  Cluster cluster;
  final Set<CacheKind> synced = EnumSet.noneOf(CacheKind.class);
  Optional<PoolIndex> index;
  Optional<Instant> listedAt;
  ListingSchedule schedule;
  Optional<ArmFailure> listingFailure;
  final Map<PoolId, Crash> crashes;
  final List<ServiceMapEffect> effects = new ArrayList<>();
  private final Map<ServiceKey, Map<PoolId, Assigned>> assigned;
  private final Set<PoolId> livePools;
  private final Set<PoolId> failingPools;
  private long nextNumber;
  private boolean stopped;

  /** Whether an unchanged level is sent to a failing pool again: on news, not by a listing. */
  private boolean resendToFailing = true;

  ServiceMapStep(ServiceMapState state) {
    cluster = state.cluster();
    synced.addAll(state.synced());
    index = state.index();
    listedAt = state.listedAt();
    schedule = state.schedule();
    listingFailure = state.listingFailure();
    crashes = new HashMap<>(state.crashes());
    assigned = new HashMap<>(state.assigned());
    livePools = new HashSet<>(state.livePools());
    failingPools = new HashSet<>(state.failingPools());
    nextNumber = state.nextNumber();
  }

  Decision<ServiceMapState, ServiceMapEffect> decision() {
    ServiceMapState next =
        new ServiceMapState(
            cluster,
            Set.copyOf(synced),
            index,
            listedAt,
            Map.copyOf(assigned),
            Set.copyOf(livePools),
            Set.copyOf(failingPools),
            Map.copyOf(crashes),
            schedule,
            listingFailure,
            nextNumber,
            stopped);
    effects.removeIf(e -> e instanceof ServiceMapEffect.ToPool to && next.awaitsRespawn(to.pool()));
    return new Decision<>(next, effects);
  }

  boolean ready() {
    return index.isPresent() && synced.size() == CacheKind.values().length;
  }

  /** Everything is known for the first time: every Service finds its pools. */
  void begin() {
    reconcile(cluster.services().keySet());
  }

  /** Moves Services to where the listing shows them, then shows every pool to its actor. */
  boolean adoptListing() {
    int before = effects.size();
    Set<ServiceKey> all = new HashSet<>(cluster.services().keySet());
    all.addAll(assigned.keySet());
    Set<PoolId> shown = new HashSet<>(livePools);
    resendToFailing = false;
    reconcile(all);
    boolean moved = effects.size() > before;
    Set<PoolId> owned = new HashSet<>();
    assigned.values().forEach(of -> owned.addAll(of.keySet()));
    for (PoolId pool : inOrder(shown)) {
      if (owned.contains(pool)) {
        show(pool);
      } else {
        forget(pool);
      }
    }
    return moved;
  }

  /**
   * Sends the pools the changes between the last sent levels and those of the mirrors now; in the
   * order of names, so that the same history has the same effects.
   */
  void reconcile(Collection<ServiceKey> services) {
    if (ready()) {
      services.stream().sorted().forEach(this::reconcile);
    }
  }

  private void reconcile(ServiceKey key) {
    Map<PoolId, Assigned> before = assigned.getOrDefault(key, Map.of());
    Map<PoolId, Assigned> after = new HashMap<>();
    ServiceView service = cluster.services().get(key);
    if (service == null) {
      release(key, before.keySet());
    } else {
      Map<PoolId, IpFamily> wanted = index.orElseThrow().ownedBy(service);
      Map<PoolId, Assigned> kept = new HashMap<>(before);
      kept.values().removeIf(tie -> !tie.assignment().uid().equals(service.uid()));
      kept.keySet().retainAll(wanted.keySet());
      Set<PoolId> left = new HashSet<>(before.keySet());
      left.removeAll(kept.keySet());
      release(key, left);
      wanted.forEach(
          (pool, family) ->
              after.put(pool, assign(service, pool, family, Optional.ofNullable(kept.get(pool)))));
    }
    if (after.isEmpty()) {
      assigned.remove(key);
    } else {
      assigned.put(key, Map.copyOf(after));
    }
  }

  private void release(ServiceKey key, Set<PoolId> pools) {
    inOrder(pools).forEach(pool -> send(pool, new PoolEvent.Release(key)));
  }

  private static List<PoolId> inOrder(Set<PoolId> pools) {
    return pools.stream().sorted(Comparator.comparing(PoolId::path)).toList();
  }

  private Assigned assign(
      ServiceView service, PoolId pool, IpFamily family, Optional<Assigned> before) {
    Level level = cluster.level(service.key(), family);
    if (before.isPresent()
        && before.get().level().equals(level)
        && !(resendToFailing && failingPools.contains(pool))) {
      return before.get();
    }
    Assignment assignment =
        before.map(Assigned::assignment).orElseGet(() -> newAssignment(service));
    if (livePools.add(pool)) {
      show(pool);
    }
    send(pool, new PoolEvent.Desire(assignment, level));
    return new Assigned(assignment, level);
  }

  private Assignment newAssignment(ServiceView service) {
    return new Assignment(
        service.key(), service.uid(), nextNumber++, PoolNames.rulePrefix(service.uid()));
  }

  private void show(PoolId pool) {
    PoolView view = index.orElseThrow().pools().get(pool);
    if (view != null) {
      send(pool, new PoolEvent.Observed(view, listedAt.orElseThrow()));
    }
  }

  private void forget(PoolId pool) {
    livePools.remove(pool);
    Crash crash = crashes.remove(pool);
    if (crash != null && crash.respawnAt().isPresent()) {
      effects.removeIf(e -> e instanceof ServiceMapEffect.ToPool to && to.pool().equals(pool));
    }
    markRecovered(pool);
    effects.add(new ServiceMapEffect.Forget(pool));
  }

  private void send(PoolId pool, PoolEvent event) {
    effects.add(new ServiceMapEffect.Send(pool, event));
  }

  void stop() {
    stopped = true;
    inOrder(livePools).forEach(pool -> send(pool, new PoolEvent.Stop()));
  }

  void markFailing(PoolId pool) {
    if (livePools.contains(pool)) {
      failingPools.add(pool);
    }
  }

  private void markRecovered(PoolId pool) {
    failingPools.remove(pool);
  }

  /**
   * A failing pool has recovered: a sign to all others that ARM has recovered, too. It is none if
   * the pool is unowned, as it recovers then without a success of ARM.
   */
  void recover(PoolId pool) {
    boolean owned = assigned.values().stream().anyMatch(of -> of.containsKey(pool));
    if (failingPools.remove(pool) && owned) {
      inOrder(failingPools).forEach(failing -> send(failing, new PoolEvent.OtherRecovered()));
    }
  }

  /** Whether a local Service lacks a pool of one of its families. */
  boolean unmapped(ServiceKey key) {
    ServiceView service = cluster.services().get(key);
    return service != null
        && service.local()
        && assigned.getOrDefault(key, Map.of()).size() < service.families().size();
  }

  /** Services on changed nodes, and those whose level depends on which nodes are known at all. */
  Set<ServiceKey> withKeepingUnknown(Set<ServiceKey> onChangedNodes) {
    Set<ServiceKey> all = new HashSet<>(onChangedNodes);
    assigned.forEach(
        (service, of) -> {
          if (of.values().stream().anyMatch(ServiceMapStep::keepsUnknown)) {
            all.add(service);
          }
        });
    return all;
  }

  private static boolean keepsUnknown(Assigned tie) {
    return tie.level() instanceof Level.Exactly exactly && exactly.keepUnknown().isPresent();
  }

  /** Creates new actors for crashed pools and sends them everything again, which is harmless. */
  void respawnDue(Instant now) {
    for (PoolId pool : inOrder(crashes.keySet())) {
      Crash crash = crashes.get(pool);
      if (crash == null || crash.respawnAt().map(at -> at.isAfter(now)).orElse(true)) {
        continue;
      }
      crashes.put(pool, new Crash(crash.count(), crash.at(), Optional.empty()));
      markRecovered(pool);
      show(pool);
      assigned.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .flatMap(of -> Optional.ofNullable(of.getValue().get(pool)).stream())
          .forEach(t -> send(pool, new PoolEvent.Desire(t.assignment(), t.level())));
    }
  }
}
