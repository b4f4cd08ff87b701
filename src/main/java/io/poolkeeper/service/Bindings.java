package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Terms;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All pools that Services are bound to: a level. Invariant: none of them is on a load balancer that
 * the cloud provider manages, and a Service has each of them once.
 *
 * @param version grows with each of them
 * @param pools by Service
 * @param terms how a pool is to be written, where anything is said of that
 * @param others how all other pools are
 */
public record Bindings(
    long version, Map<ServiceKey, List<BoundPool>> pools, Map<PoolId, Terms> terms, Terms others) {
  public static final Bindings NONE = new Bindings(0, Map.of(), Map.of(), Terms.NONE);

  public Bindings {
    pools = Map.copyOf(pools);
    terms = Map.copyOf(terms);
    for (List<BoundPool> of : pools.values()) {
      if (of.stream().map(BoundPool::pool).distinct().count() < of.size()) {
        throw new IllegalArgumentException("bound twice: " + of);
      }
    }
  }

  List<BoundPool> of(ServiceKey service) {
    return pools.getOrDefault(service, List.of());
  }

  public Terms terms(PoolId pool) {
    return terms.getOrDefault(pool, others);
  }

  /** All of them. */
  Set<PoolId> all() {
    return pools.values().stream()
        .flatMap(Collection::stream)
        .map(BoundPool::pool)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The resource groups that they are in, names folded. */
  Set<String> groups() {
    return all().stream()
        .map(pool -> pool.loadBalancer().group())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The Services whose pools differ. */
  Set<ServiceKey> different(Bindings before) {
    Set<ServiceKey> all = new HashSet<>(pools.keySet());
    all.addAll(before.pools.keySet());
    all.removeIf(service -> of(service).equals(before.of(service)));
    return all;
  }

  /** The pools about which anything differs, for any Service, but for the others. */
  public Set<PoolId> poolsOtherwise(Bindings before) {
    Set<PoolId> all = new HashSet<>();
    for (ServiceKey service : different(before)) {
      Stream.of(of(service), before.of(service))
          .flatMap(Collection::stream)
          .filter(pool -> !of(service).contains(pool) || !before.of(service).contains(pool))
          .forEach(pool -> all.add(pool.pool()));
    }
    Stream.concat(terms.keySet().stream(), before.terms.keySet().stream())
        .filter(pool -> !terms(pool).equals(before.terms(pool)))
        .forEach(all::add);
    return all;
  }
}
