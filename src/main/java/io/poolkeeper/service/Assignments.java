package io.poolkeeper.service;

import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.pool.Assigned;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.Level;
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
 * A Service is released from one pool before it is assigned to another.
 */
final class Assignments {
  private static final String IGNORED = "LoadBalancerEndpointsIgnored";

  private final LivePools pools;
  private final Consumer<PoolId> begin;
  private final Set<ServiceKey> fresh;
  private HashPMap<ServiceKey, HashPMap<PoolId, Assigned>> assigned;
  private MapPSet<ServiceKey> keepingUnknown;
  private long nextNumber;
  private boolean changed;

  /**
   * The assignments between two decisions.
   *
   * @param assigned what every owner of a pool was last sent as desired there
   * @param keepingUnknown the Services whose level depends on which nodes are known
   * @param nextNumber the smallest number of an assignment from now on
   */
  record Sent(
      HashPMap<ServiceKey, HashPMap<PoolId, Assigned>> assigned,
      MapPSet<ServiceKey> keepingUnknown,
      long nextNumber) {
    static final Sent NOTHING = new Sent(HashTreePMap.empty(), HashTreePSet.empty(), 1);
  }

  /**
   * A pool that a Service owns.
   *
   * @param rulePrefix as in {@link Assignment}
   * @param level what the Service wants in the pool
   */
  private record Owned(Optional<String> rulePrefix, Level level) {}

  /**
   * The assignments of the last decision.
   *
   * @param begin sends a pool without an actor what it must know before anything else
   */
  Assignments(ServiceMapState state, LivePools pools, Consumer<PoolId> begin) {
    this.pools = pools;
    this.begin = begin;
    fresh = state.fresh();
    assigned = state.sent().assigned();
    keepingUnknown = state.sent().keepingUnknown();
    nextNumber = state.sent().nextNumber();
  }

  Sent sent() {
    return new Sent(assigned, keepingUnknown, nextNumber);
  }

  /** Whether any pool was sent anything new. */
  boolean changed() {
    return changed;
  }

  HashPMap<PoolId, Assigned> of(ServiceKey service) {
    return assigned.getOrDefault(service, HashTreePMap.empty());
  }

  /** All pools of these Services, in order. */
  List<PoolId> pools(Set<ServiceKey> services) {
    Set<PoolId> all = new HashSet<>();
    services.forEach(service -> all.addAll(of(service).keySet()));
    return LivePools.inOrder(all);
  }

  /** Those of the Services that own a pool of this kind. */
  Set<ServiceKey> having(Set<ServiceKey> services, Predicate<PoolId> such) {
    return services.stream()
        .filter(service -> of(service).keySet().stream().anyMatch(such))
        .collect(Collectors.toSet());
  }

  /** Whether a Service owns the pool by a rule that is no longer there. */
  boolean lost(PoolView pool) {
    return pools.owners(pool.id()).stream()
        .flatMap(owner -> Stream.ofNullable(of(owner).get(pool.id())))
        .anyMatch(tie -> !tie.assignment().holds(pool.rules()));
  }

  /** The pools that the cloud provider made for the Service, and those of its bindings. */
  private Map<PoolId, Owned> owned(
      ServiceKey key, PoolIndex index, Cluster cluster, Bindings bindings) {
    Map<PoolId, Owned> owned = new LinkedHashMap<>();
    ServiceView service = cluster.services().get(key);
    if (service != null) {
      Optional<String> prefix = Optional.of(PoolNames.rulePrefix(service.uid()));
      index
          .ownedBy(service)
          .forEach(
              (pool, family) ->
                  owned.put(
                      pool, new Owned(prefix, cluster.level(key, family, index.entries(pool)))));
    }
    for (BoundPool pool : bindings.of(key)) {
      owned(key, pool, index, cluster).ifPresent(is -> owned.put(pool.pool(), is));
    }
    return owned;
  }

  /** The level of a Service in a bound pool, if the pool exists and is in scope. */
  private Optional<Owned> owned(ServiceKey key, BoundPool pool, PoolIndex index, Cluster cluster) {
    if (!pool.service().equals(Optional.of(key)) || !index.touches(pool.pool())) {
      return Optional.empty();
    }
    boolean known = cluster.services().containsKey(key);
    Level level =
        known ? cluster.level(key, pool.family(), index.entries(pool.pool())) : new Level.Unknown();
    return Optional.of(new Owned(Optional.empty(), level));
  }

  /** How many pools the cloud provider made for the Service. */
  long named(ServiceKey service) {
    return of(service).values().stream()
        .filter(tie -> tie.assignment().rulePrefix().isPresent())
        .count();
  }

  /** Whether a local Service lacks a pool of one of its families. */
  boolean unmapped(@Nullable ServiceView service) {
    return service != null && service.local() && named(service.key()) < service.families().size();
  }

  /** The Service owns these pools from now on. */
  private void assigned(ServiceKey key, HashPMap<PoolId, Assigned> now) {
    assigned = now.isEmpty() ? assigned.minus(key) : assigned.plus(key, now);
    keepingUnknown =
        now.values().stream().anyMatch(Assignments::keepsUnknown)
            ? keepingUnknown.plus(key)
            : keepingUnknown.minus(key);
    changed = true;
  }

  static boolean keepsUnknown(Assigned tie) {
    return tie.level() instanceof Level.Exactly exactly && exactly.keepUnknown().isPresent();
  }

  /**
   * Sends the pools of a Service their changes.
   *
   * @param resend whether a failing pool is sent an unchanged level again: on news, not by a
   *     listing
   */
  void reconcile(
      ServiceKey key, PoolIndex index, Cluster cluster, Bindings bindings, boolean resend) {
    Map<PoolId, Owned> owned = owned(key, index, cluster, bindings);
    String uid = uid(key, cluster);
    List<PoolId> lost =
        of(key).entrySet().stream()
            .filter(tie -> !same(tie.getValue().assignment(), uid, owned.get(tie.getKey())))
            .map(Map.Entry::getKey)
            .toList();
    LivePools.inOrder(lost).forEach(pool -> release(pool, key));
    owned.forEach((pool, is) -> own(pool, key, uid, is, resend));
  }

  /** Sends one pool its changes that has or had a binding, and looks at no other. */
  void reconcile(ServiceKey key, PoolId pool, PoolIndex index, Cluster cluster, Bindings bindings) {
    Optional<Owned> is = bindings.of(pool).flatMap(of -> owned(key, of, index, cluster));
    String uid = uid(key, cluster);
    Assigned before = of(key).get(pool);
    if (before != null && !same(before.assignment(), uid, is.orElse(null))) {
      release(pool, key);
    }
    is.ifPresent(owned -> own(pool, key, uid, owned, true));
  }

  /** The UID of the Service; empty if it does not exist. */
  private static String uid(ServiceKey key, Cluster cluster) {
    return Optional.ofNullable(cluster.services().get(key)).map(ServiceView::uid).orElse("");
  }

  private void release(PoolId pool, ServiceKey key) {
    assigned(key, of(key).minus(pool));
    pools.release(pool, key);
  }

  private void own(PoolId pool, ServiceKey key, String uid, Owned is, boolean resend) {
    Optional<Assigned> before = Optional.ofNullable(of(key).get(pool));
    Assignment assignment =
        before
            .map(Assigned::assignment)
            .orElseGet(() -> new Assignment(key, uid, nextNumber++, is.rulePrefix()));
    Assigned wanted = new Assigned(assignment, is.level());
    boolean known = before.equals(Optional.of(wanted));
    if (!known) {
      warn(key, uid, is.level().warning());
      assigned(key, of(key).plus(pool, wanted));
    }
    if (!known || (resend && pools.failing(pool))) {
      desire(pool, wanted);
    }
  }

  /** Warns of ignored endpoints, once for all pools of the Service. */
  private void warn(ServiceKey key, String uid, String warning) {
    if (!warning.isEmpty()
        && of(key).values().stream().noneMatch(tie -> tie.level().warning().equals(warning))) {
      pools.emit(
          new ObjectEvent(
              ObjectReference.of(key, uid),
              ObjectEvent.Type.WARNING,
              IGNORED,
              "Endpoints have no entry in the backend pools: " + warning));
    }
  }

  private static boolean same(Assignment before, String uid, @Nullable Owned owned) {
    return owned != null
        && uid.equals(before.uid())
        && owned.rulePrefix().equals(before.rulePrefix());
  }

  /** A new actor of a pool is sent everything again; that is harmless. */
  void resend(PoolId pool) {
    pools.owners(pool).stream()
        .sorted()
        .forEach(owner -> desire(pool, Objects.requireNonNull(of(owner).get(pool))));
  }

  private void desire(PoolId pool, Assigned wanted) {
    ServiceKey service = wanted.assignment().service();
    if (pools.own(pool, service)) {
      begin.accept(pool);
    }
    pools.send(pool, new PoolEvent.Desire(wanted, fresh.contains(service)));
  }
}
