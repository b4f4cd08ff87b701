package io.poolkeeper.admission;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Terms;
import io.poolkeeper.service.Bindings;
import io.poolkeeper.service.BoundPool;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a binding asks of its pool, and how that is to be written.
 *
 * @param bound empty if the pool is the cloud provider's
 * @param heldSince when the hold of the terms began; known to this process only
 */
record Tie(
    ServiceKey service,
    PoolId pool,
    Optional<BoundPool> bound,
    Terms terms,
    Optional<Instant> heldSince) {
  /** Several of one Service and pool are one. */
  private static BoundPool and(BoundPool one, BoundPool other) {
    return new BoundPool(
        one.pool(), one.family(), one.bound().and(other.bound()), one.leaving() && other.leaving());
  }

  /**
   * All that is bound. The first hold of a pool is named.
   *
   * @param others of pools without any
   */
  static Bindings all(long version, Collection<Tie> ties, Terms others) {
    Map<ServiceKey, Map<PoolId, BoundPool>> pools = new TreeMap<>();
    Map<PoolId, Terms> terms = new HashMap<>();
    for (Tie tie : ties) {
      tie.bound()
          .ifPresent(
              pool ->
                  pools
                      .computeIfAbsent(tie.service(), service -> new HashMap<>())
                      .merge(pool.pool(), pool, Tie::and));
      terms.merge(tie.pool(), tie.terms(), Terms::and);
    }
    Map<ServiceKey, List<BoundPool>> byService = new HashMap<>();
    pools.forEach((service, of) -> byService.put(service, List.copyOf(of.values())));
    return new Bindings(version, byService, terms, others);
  }
}
