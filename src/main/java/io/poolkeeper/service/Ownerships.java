package io.poolkeeper.service;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.Ownership;
import io.poolkeeper.pool.PoolEvent;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/**
 * Which Service owns which pools during one decision, and what each pool was last sent as desired.
 * A Service is released from one pool before it owns another.
 */
final class Ownerships {
  private static final long UNNUMBERED = 0;
  private static final String IGNORED = "LoadBalancerEndpointsIgnored";

  private final LivePools pools;
  private final Consumer<PoolId> begin;
  private final Set<ServiceKey> fresh;
  private HashPMap<ServiceKey, HashPMap<PoolId, Ownership>> owned;
  private MapPSet<ServiceKey> keepingUnknown;
  private long nextNumber;
  private boolean changed;

  /**
   * The ownerships between two decisions.
   *
   * @param owned what every owner of a pool was last sent as desired there
   * @param keepingUnknown the Services whose level depends on which nodes are known
   * @param nextNumber the smallest number of an ownership from now on
   */
  record Sent(
      HashPMap<ServiceKey, HashPMap<PoolId, Ownership>> owned,
      MapPSet<ServiceKey> keepingUnknown,
      long nextNumber) {
    static final Sent NOTHING = new Sent(HashTreePMap.empty(), HashTreePSet.empty(), 1);
  }

  /**
   * The ownerships of the last decision.
   *
   * @param begin sends a pool without an actor what it must know before anything else
   */
  Ownerships(ServiceMapState state, LivePools pools, Consumer<PoolId> begin) {
    this.pools = pools;
    this.begin = begin;
    fresh = state.fresh();
    owned = state.sent().owned();
    keepingUnknown = state.sent().keepingUnknown();
    nextNumber = state.sent().nextNumber();
  }

  Sent sent() {
    return new Sent(owned, keepingUnknown, nextNumber);
  }

  /** Whether any pool was sent anything new. */
  boolean changed() {
    return changed;
  }

  /** The pools that the Service owns. */
  HashPMap<PoolId, Ownership> ownedBy(ServiceKey service) {
    return owned.getOrDefault(service, HashTreePMap.empty());
  }

  /** All pools of these Services, in order. */
  List<PoolId> pools(Set<ServiceKey> services) {
    Set<PoolId> pools = new HashSet<>();
    services.forEach(service -> pools.addAll(ownedBy(service).keySet()));
    return LivePools.inOrder(pools);
  }

  /** Those of the Services that own such a pool. */
  Set<ServiceKey> owningAny(Set<ServiceKey> services, Predicate<PoolId> such) {
    return services.stream()
        .filter(service -> ownedBy(service).keySet().stream().anyMatch(such))
        .collect(Collectors.toSet());
  }

  /** Whether a Service owns the pool by a rule that is no longer there. */
  boolean lost(PoolView pool) {
    return pools.owners(pool.id()).stream()
        .flatMap(owner -> Stream.ofNullable(ownedBy(owner).get(pool.id())))
        .anyMatch(owned -> !owned.holds(pool.rules()));
  }

  /** The Service in the pools that the cloud provider made for it, and in those of its bindings. */
  private Map<PoolId, Ownership> wanted(
      ServiceKey key, PoolIndex index, Cluster cluster, Bindings bindings) {
    Map<PoolId, Ownership> wanted = new LinkedHashMap<>();
    ServiceView service = cluster.services().get(key);
    if (service != null) {
      Optional<String> prefix = Optional.of(PoolNames.rulePrefix(service.uid()));
      index
          .ownedBy(service)
          .forEach(
              (pool, family) -> {
                Level level = cluster.level(key, family, index.entries(pool));
                wanted.put(pool, new Ownership(key, service.uid(), UNNUMBERED, prefix, level));
              });
    }
    for (BoundPool pool : bindings.boundPools(key)) {
      wanted(key, pool, index, cluster).ifPresent(bound -> wanted.put(pool.pool(), bound));
    }
    return wanted;
  }

  /** The Service in a bound pool, if the pool exists and is in scope. */
  private Optional<Ownership> wanted(
      ServiceKey key, BoundPool pool, PoolIndex index, Cluster cluster) {
    if (!pool.service().equals(Optional.of(key)) || !index.touches(pool.pool())) {
      return Optional.empty();
    }
    Optional<ServiceView> service = Optional.ofNullable(cluster.services().get(key));
    Level level =
        service.isPresent()
            ? cluster.level(key, pool.family(), index.entries(pool.pool()))
            : new Level.Unknown();
    String uid = service.map(ServiceView::uid).orElse("");
    return Optional.of(new Ownership(key, uid, UNNUMBERED, Optional.empty(), level));
  }

  /** How many pools the cloud provider made for the Service. */
  long named(ServiceKey service) {
    return ownedBy(service).values().stream()
        .filter(owned -> owned.rulePrefix().isPresent())
        .count();
  }

  /** Whether a local Service lacks a pool of one of its families. */
  boolean unmapped(@Nullable ServiceView service) {
    return service != null && service.local() && named(service.key()) < service.families().size();
  }

  /** The Service owns these pools from now on. */
  private void setOwned(ServiceKey key, HashPMap<PoolId, Ownership> pools) {
    owned = pools.isEmpty() ? owned.minus(key) : owned.plus(key, pools);
    keepingUnknown =
        pools.values().stream().anyMatch(Ownerships::keepsUnknown)
            ? keepingUnknown.plus(key)
            : keepingUnknown.minus(key);
    changed = true;
  }

  static boolean keepsUnknown(Ownership owned) {
    return owned.level() instanceof Level.Exactly exactly && exactly.keepUnknown().isPresent();
  }

  /** Sends the pools of a Service their changes; {@code resend} as in {@link WorkingMap}. */
  void reconcile(
      ServiceKey key, PoolIndex index, Cluster cluster, Bindings bindings, boolean resend) {
    Map<PoolId, Ownership> wanted = wanted(key, index, cluster, bindings);
    List<PoolId> lost =
        ownedBy(key).entrySet().stream()
            .filter(pool -> !continues(pool.getValue(), wanted.get(pool.getKey())))
            .map(Map.Entry::getKey)
            .toList();
    LivePools.inOrder(lost).forEach(pool -> release(pool, key));
    wanted.forEach((pool, ownership) -> own(pool, ownership, resend));
  }

  /** Sends one pool its changes that has or had a binding, and looks at no other. */
  void reconcile(ServiceKey key, PoolId pool, PoolIndex index, Cluster cluster, Bindings bindings) {
    Optional<Ownership> wanted =
        bindings.boundPool(pool).flatMap(bound -> wanted(key, bound, index, cluster));
    Ownership before = ownedBy(key).get(pool);
    if (before != null && !continues(before, wanted.orElse(null))) {
      release(pool, key);
    }
    wanted.ifPresent(ownership -> own(pool, ownership, true));
  }

  private static boolean continues(Ownership before, @Nullable Ownership next) {
    return next != null && before.continues(next);
  }

  private void release(PoolId pool, ServiceKey key) {
    setOwned(key, ownedBy(key).minus(pool));
    pools.release(pool, key);
  }

  /** An ownership keeps its number. Under another one, operations that wait would be ignored. */
  private void own(PoolId pool, Ownership unnumbered, boolean resend) {
    ServiceKey key = unnumbered.service();
    Ownership before = ownedBy(key).get(pool);
    Ownership wanted = unnumbered.numbered(before == null ? nextNumber++ : before.number());
    boolean known = wanted.equals(before);
    if (!known) {
      warn(wanted);
      setOwned(key, ownedBy(key).plus(pool, wanted));
    }
    if (!known || (resend && pools.failing(pool))) {
      desire(pool, wanted);
    }
  }

  /** Warns of ignored endpoints, once for all pools of the Service. */
  private void warn(Ownership ownership) {
    ServiceKey service = ownership.service();
    String warning = ownership.level().warning();
    boolean warned =
        ownedBy(service).values().stream().anyMatch(pool -> pool.level().warning().equals(warning));
    if (!warning.isEmpty() && !warned) {
      ObjectReference about = ObjectReference.of(service, ownership.uid());
      String text = "Endpoints have no entry in the backend pools: " + warning;
      pools.emit(new ObjectEvent(about, ObjectEvent.Type.WARNING, IGNORED, text));
    }
  }

  /** A new actor of a pool is sent everything again; that is harmless. */
  void resend(PoolId pool) {
    pools.owners(pool).stream()
        .sorted()
        .forEach(owner -> desire(pool, Objects.requireNonNull(ownedBy(owner).get(pool))));
  }

  private void desire(PoolId pool, Ownership wanted) {
    ServiceKey service = wanted.service();
    if (pools.own(pool, service)) {
      begin.accept(pool);
    }
    pools.send(pool, new PoolEvent.Desire(wanted, fresh.contains(service)));
  }
}
