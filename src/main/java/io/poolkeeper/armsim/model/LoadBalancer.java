package io.poolkeeper.armsim.model;

import io.poolkeeper.model.LoadBalancerId;
import java.util.List;
import java.util.Optional;

/** What a load balancer holds. */
public record LoadBalancer(Resource resource) {
  public LoadBalancerId id() {
    return resource.id().balancer().orElseThrow();
  }

  public Optional<List<PoolMember>> members(String pool) {
    return resource.part(Embedded.POOLS, pool).map(PoolMember::of);
  }

  public List<String> poolNames() {
    return resource.array(Embedded.POOLS).valueStream().map(Embedded::name).toList();
  }
}
