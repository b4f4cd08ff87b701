package io.poolkeeper.service;

import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.pool.AdminPlan;
import io.poolkeeper.pool.Ownership;
import io.poolkeeper.pool.PoolEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * The pools of the load balancers as the last listing showed them. There is no other durable record
 * of which pool the cloud provider made for a Service.
 *
 * @param last what the listing alone decides
 * @param pools the pools of managed load balancers, and others that bindings name
 * @param unbound all other pools, as a binding may name one at any time
 * @param out the pools that are not touched
 * @param disputed pools that are touched although one of their Services refuses, with the Services
 */
public record PoolIndex(
    LastListing last,
    HashPMap<PoolId, PoolView> pools,
    HashPMap<PoolId, PoolView> unbound,
    HashPMap<PoolId, OptedOut> out,
    HashPMap<PoolId, List<ServiceKey>> disputed) {
  /**
   * The part of the index that stays the same until the next listing.
   *
   * @param startedAt monotonic
   * @param byName the pools that a Service may own
   * @param elsewhere the pools of load balancers that are not managed, by name
   * @param earlier the pools that only an earlier listing has shown
   * @param unreadable the load balancers that cannot be read; their pools are not touched
   */
  record LastListing(
      Instant startedAt,
      Map<String, List<PoolView>> byName,
      Map<String, List<PoolView>> elsewhere,
      Set<PoolId> earlier,
      Map<LoadBalancerId, UnknownPools> unreadable) {
    LastListing {
      byName = Collections.unmodifiableMap(byName);
      elsewhere = Collections.unmodifiableMap(elsewhere);
      earlier = Set.copyOf(earlier);
      unreadable = Map.copyOf(unreadable);
    }
  }

  private static final PoolIndex NONE =
      new PoolIndex(
          new LastListing(Instant.MIN, Map.of(), Map.of(), Set.of(), Map.of()),
          HashTreePMap.empty(),
          HashTreePMap.empty(),
          HashTreePMap.empty(),
          HashTreePMap.empty());

  /** The load balancers that cannot be read; their pools are not touched. */
  Map<LoadBalancerId, UnknownPools> unreadable() {
    return last.unreadable();
  }

  /**
   * The pools of the load balancers that the cloud provider manages, and others that bindings name.
   *
   * @param before keeps the pools of groups and load balancers that the listing does not show
   */
  static PoolIndex of(
      Listing listing,
      PoolNames names,
      Set<PoolId> bound,
      Optional<PoolIndex> before,
      Instant listedAt) {
    PoolIndex old = before.orElse(NONE);
    Map<PoolId, PoolView> pools = new HashMap<>();
    Map<PoolId, PoolView> unbound = new HashMap<>();
    Map<String, List<PoolView>> byName = new HashMap<>();
    Map<String, List<PoolView>> elsewhere = new HashMap<>();
    for (LoadBalancerView loadBalancer : listing.loadBalancers()) {
      if (names.manages(loadBalancer.id().name())) {
        for (PoolView shown : loadBalancer.pools()) {
          PoolView pool = old.known(shown);
          pools.put(pool.id(), pool);
          if (!names.isClusterPool(pool.id().name())) {
            add(byName, pool);
          }
        }
      }
    }
    listing
        .pools()
        .map(old::known)
        .filter(pool -> !pools.containsKey(pool.id()))
        .forEach(
            pool -> {
              (bound.contains(pool.id()) ? pools : unbound).put(pool.id(), pool);
              add(elsewhere, pool);
            });
    // What the listing does not cover stays as it was.
    Map<PoolId, PoolView> earlier = new HashMap<>();
    old.pools.values().stream()
        .filter(pool -> !listing.covers(pool.id()))
        .forEach(pool -> earlier.put(pool.id(), pool));
    pools.putAll(earlier);
    old.last.byName().values().stream()
        .flatMap(List::stream)
        .filter(pool -> earlier.containsKey(pool.id()))
        .forEach(pool -> add(byName, pool));
    old.last.elsewhere().values().stream()
        .flatMap(List::stream)
        .filter(pool -> !listing.covers(pool.id()))
        .forEach(pool -> add(elsewhere, pool));
    Map<PoolId, OptedOut> out = new HashMap<>(old.out);
    out.keySet().retainAll(pools.keySet());
    Map<PoolId, List<ServiceKey>> disputed = new HashMap<>(old.disputed);
    disputed.keySet().retainAll(pools.keySet());
    Map<LoadBalancerId, UnknownPools> unreadable =
        old.unreadable(listing, names, bound, earlier.keySet());
    return new PoolIndex(
        new LastListing(listedAt, byName, elsewhere, earlier.keySet(), unreadable),
        HashTreePMap.from(pools),
        HashTreePMap.from(unbound),
        HashTreePMap.from(out),
        HashTreePMap.from(disputed));
  }

  /** The view that is known, and kept elsewhere, if this one shows nothing new. */
  private PoolView known(PoolView shown) {
    PoolView view = pools.getOrDefault(shown.id(), unbound.get(shown.id()));
    return view != null && view.equals(shown) ? view : shown;
  }

  /** The load balancers that cannot be read after the next listing. */
  private Map<LoadBalancerId, UnknownPools> unreadable(
      Listing listing, PoolNames names, Set<PoolId> bound, Set<PoolId> earlier) {
    Map<LoadBalancerId, UnknownPools> unreadable = new HashMap<>(unreadable());
    unreadable.keySet().removeIf(id -> listing.groups().contains(id.group()));
    for (Map.Entry<LoadBalancerId, ArmFailure> entry : listing.unreadable().entrySet()) {
      LoadBalancerId id = entry.getKey();
      Predicate<PoolId> onIt = pool -> pool.loadBalancer().equals(id);
      boolean managed = id.group().equals(listing.own()) && names.manages(id.name());
      boolean used = managed || bound.stream().anyMatch(onIt);
      Set<PoolId> kept = earlier.stream().filter(onIt).collect(Collectors.toUnmodifiableSet());
      unreadable.put(id, new UnknownPools(entry.getValue(), used, kept));
    }
    return unreadable;
  }

  /** Whether this replica has led since before the listing began. */
  boolean isSince(Optional<Instant> leadsSince) {
    return leadsSince.filter(since -> !last.startedAt().isBefore(since)).isPresent();
  }

  private static void add(Map<String, List<PoolView>> byName, PoolView pool) {
    byName.computeIfAbsent(Names.fold(pool.id().name()), name -> new ArrayList<>()).add(pool);
  }

  /** The index after a binding began to name the pool, or ceased to. */
  PoolIndex withBound(PoolId pool, boolean isBound) {
    PoolView view = (isBound ? unbound : pools).get(pool);
    if (view == null) {
      return this;
    }
    if (isBound) {
      return new PoolIndex(last, pools.plus(pool, view), unbound.minus(pool), out, disputed);
    }
    return new PoolIndex(
        last, pools.minus(pool), unbound.plus(pool, view), out.minus(pool), disputed.minus(pool));
  }

  /**
   * The pool as it was judged.
   *
   * @param why it is not touched; empty if it is
   * @param dispute its Services if they disagree about that
   */
  PoolIndex with(PoolId pool, Optional<OptedOut> why, List<ServiceKey> dispute) {
    if (why.equals(Optional.ofNullable(out.get(pool)))
        && dispute.equals(disputed.getOrDefault(pool, List.of()))) {
      return this;
    }
    HashPMap<PoolId, OptedOut> nextOut =
        why.isPresent() ? out.plus(pool, why.get()) : out.minus(pool);
    HashPMap<PoolId, List<ServiceKey>> nextDisputed =
        dispute.isEmpty() ? disputed.minus(pool) : disputed.plus(pool, dispute);
    return new PoolIndex(last, pools, unbound, nextOut, nextDisputed);
  }

  /** Whether the Service has a pool that is not touched. */
  boolean ownsOut(ServiceKey service) {
    return out.values().stream().anyMatch(pool -> pool.services().contains(service));
  }

  /** Whether the pool is known, and in scope. */
  boolean touches(PoolId pool) {
    return pools.containsKey(pool) && !out.containsKey(pool) && !unreadable(pool);
  }

  /** The pools that are known, and in scope. */
  Map<PoolId, PoolView> touched() {
    HashPMap<PoolId, PoolView> known = pools.minusAll(out.keySet());
    for (UnknownPools unknown : unreadable().values()) {
      known = known.minusAll(unknown.kept());
    }
    return known;
  }

  /** Whether the pool's load balancer is there, but cannot be read. */
  boolean unreadable(PoolId pool) {
    return unreadable().containsKey(pool.loadBalancer());
  }

  /** Why pools are unknown that may need a drain. */
  Optional<ArmFailure> unreadableInUse() {
    return unreadable().values().stream()
        .filter(UnknownPools::used)
        .map(UnknownPools::why)
        .findFirst();
  }

  /** Sends the bindings what a listing has shown of their pools. */
  ServiceMapEffect toBindings(Listing listing, Set<PoolId> bound) {
    Set<PoolId> missing = new HashSet<>(bound);
    missing.removeAll(pools.keySet());
    missing.removeIf(pool -> !listing.covers(pool));
    Map<PoolId, ArmFailure> unread = new HashMap<>();
    bound.forEach(pool -> listing.unread(pool).ifPresent(why -> unread.put(pool, why)));
    Map<PoolId, String> optedOut = new HashMap<>();
    out.forEach((pool, reason) -> optedOut.put(pool, reason.why()));
    optedOut.keySet().retainAll(bound);
    return new ServiceMapEffect.ToBindings(new BindingsEvent.Listed(missing, unread, optedOut));
  }

  /** See {@link io.poolkeeper.node.NodeEvent.Listed}. */
  Map<PoolId, Set<NodeKey>> unseen(Predicate<PoolId> followed, OutOfService set) {
    Map<PoolId, Set<NodeKey>> unseen = new HashMap<>();
    for (PoolId pool : last.earlier()) {
      if (followed.test(pool)) {
        unseen.put(pool, view(pool).map(view -> AdminPlan.of(view, set).wrong()).orElse(Set.of()));
      }
    }
    return unseen;
  }

  private Optional<PoolView> view(PoolId pool) {
    return Optional.ofNullable(pools.get(pool));
  }

  /** Whether the pool has an entry of an address. */
  Predicate<Address> entries(PoolId pool) {
    return ip -> view(pool).filter(view -> view.addresses().contains(ip)).isPresent();
  }

  /** Whether the pool was being written. */
  boolean updating(PoolId pool) {
    return view(pool).filter(PoolView::updating).isPresent();
  }

  Optional<PoolEvent> shown(PoolId pool) {
    return view(pool)
        .filter(view -> !last.earlier().contains(pool))
        .map(view -> new PoolEvent.Observed(view, last.startedAt()));
  }

  /**
   * The pools in scope that the Service owns, each with the family it serves: on a load balancer of
   * the right kind, with the pool's name and a rule of the Service that sends to it. Names alone
   * collide; the rule identifies the owner. A Service that becomes internal or public has its pool
   * on one of the wrong kind until the cloud provider has moved it.
   */
  Map<PoolId, IpFamily> ownedBy(ServiceView service) {
    Map<PoolId, IpFamily> owned = new LinkedHashMap<>();
    if (!service.local() || service.uid().isBlank()) {
      return owned;
    }
    for (IpFamily family : service.families().stream().sorted().toList()) {
      Map<Boolean, List<PoolId>> byKind =
          poolsOf(service, family, last.byName())
              .collect(Collectors.groupingBy(pool -> rightKind(service, pool)));
      byKind.getOrDefault(true, byKind.getOrDefault(false, List.of())).stream()
          .filter(this::touches)
          .forEach(pool -> owned.put(pool, family));
    }
    return owned;
  }

  /** Those of the pools that have the Service's name and a rule of it. */
  private static Stream<PoolId> poolsOf(
      ServiceView service, IpFamily family, Map<String, List<PoolView>> pools) {
    String prefix = PoolNames.rulePrefix(service.uid());
    return pools.getOrDefault(PoolNames.pool(service.key(), family), List.of()).stream()
        .filter(pool -> Ownership.owns(prefix, pool.rules()))
        .map(PoolView::id);
  }

  /** The load balancer that has a pool of the Service, and is not managed. */
  Optional<LoadBalancerId> elsewhere(ServiceView service) {
    return service.families().stream()
        .sorted()
        .flatMap(family -> poolsOf(service, family, last.elsewhere()))
        .map(PoolId::loadBalancer)
        .findFirst();
  }

  private static boolean rightKind(ServiceView service, PoolId pool) {
    return PoolNames.isInternal(pool.loadBalancer().name()) == service.internal();
  }
}
