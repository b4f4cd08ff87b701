package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.BoundPool;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
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

  /** What the binding of the pool wants; empty if there is none. */
  Optional<BoundPool> boundPool(PoolId pool) {
    return Optional.ofNullable(pools.get(pool));
  }

  Collection<BoundPool> boundPools(ServiceKey service) {
    return byService.getOrDefault(service, HashTreePSet.empty()).stream().map(pools::get).toList();
  }

  Set<PoolId> all() {
    return pools.keySet();
  }

  /** The pools whose binding is being deleted. */
  List<PoolId> leaving() {
    return LivePools.inOrder(
        pools.values().stream()
            .filter(pool -> pool.leaving().isPresent())
            .map(BoundPool::pool)
            .toList());
  }

  /** These bindings after that of a pool changed; empty if there is none any more. */
  Bindings with(PoolId pool, Optional<BoundPool> next) {
    HashPMap<ServiceKey, MapPSet<PoolId>> services = byService;
    Optional<ServiceKey> before = boundPool(pool).flatMap(BoundPool::service);
    if (before.isPresent()) {
      ServiceKey service = before.get();
      MapPSet<PoolId> left = Objects.requireNonNull(services.get(service)).minus(pool);
      services = left.isEmpty() ? services.minus(service) : services.plus(service, left);
    }
    Optional<ServiceKey> after = next.flatMap(BoundPool::service);
    if (after.isPresent()) {
      MapPSet<PoolId> others = services.getOrDefault(after.get(), HashTreePSet.empty());
      services = services.plus(after.get(), others.plus(pool));
    }
    HashPMap<PoolId, BoundPool> without = pools.minus(pool);
    return new Bindings(next.map(bound -> without.plus(pool, bound)).orElse(without), services);
  }
}
