package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.BoundPool;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/**
 * What each binding wants in its pool, by pool and by Service. None of these pools is on a load
 * balancer that the cloud provider manages.
 */
public record Bindings(
    HashPMap<PoolId, BoundPool> pools, HashPMap<ServiceKey, MapPSet<PoolId>> byService) {
  static final Bindings NONE = new Bindings(HashTreePMap.empty(), HashTreePMap.empty());

  Optional<BoundPool> of(PoolId pool) {
    return Optional.ofNullable(pools.get(pool));
  }

  Collection<BoundPool> of(ServiceKey service) {
    return at(service).stream().map(pools::get).toList();
  }

  private MapPSet<PoolId> at(ServiceKey service) {
    return byService.getOrDefault(service, HashTreePSet.empty());
  }

  Set<PoolId> all() {
    return pools.keySet();
  }

  /** The pools whose binding is being deleted. */
  List<PoolId> leaving() {
    return LivePools.inOrder(
        pools.values().stream()
            .filter(of -> of.leaving().isPresent())
            .map(BoundPool::pool)
            .toList());
  }

  Bindings with(PoolId pool, Optional<BoundPool> next) {
    Optional<ServiceKey> before = of(pool).flatMap(BoundPool::service);
    Bindings without =
        before
            .map(service -> new Bindings(pools.minus(pool), less(service, pool)))
            .orElseGet(() -> new Bindings(pools.minus(pool), byService));
    return next.map(without::plus).orElse(without);
  }

  private HashPMap<ServiceKey, MapPSet<PoolId>> less(ServiceKey service, PoolId pool) {
    MapPSet<PoolId> left = at(service).minus(pool);
    return left.isEmpty() ? byService.minus(service) : byService.plus(service, left);
  }

  private Bindings plus(BoundPool next) {
    HashPMap<ServiceKey, MapPSet<PoolId>> all =
        next.service()
            .map(service -> byService.plus(service, at(service).plus(next.pool())))
            .orElse(byService);
    return new Bindings(pools.plus(next.pool(), next), all);
  }
}
