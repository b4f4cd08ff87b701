package io.poolkeeper.model;

import static io.poolkeeper.model.Names.fold;
import static io.poolkeeper.model.Names.required;
import static io.poolkeeper.model.Names.same;

import org.jspecify.annotations.Nullable;

/** A backend pool of a load balancer. Two ids are equal if they differ in case only, as in ARM. */
public record PoolId(LoadBalancerId loadBalancer, String name) implements Comparable<PoolId> {
  public PoolId {
    required("pool", name);
  }

  /** The ARM resource id. */
  public String path() {
    return loadBalancer.path() + "/backendAddressPools/" + name;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PoolId id
        && same(name, id.name)
        && loadBalancer.equals(id.loadBalancer);
  }

  @Override
  public int hashCode() {
    return 31 * loadBalancer.hashCode() + fold(name).hashCode();
  }

  @Override
  public int compareTo(PoolId other) {
    int byLoadBalancer = loadBalancer.compareTo(other.loadBalancer);
    return byLoadBalancer != 0 ? byLoadBalancer : Names.compare(name, other.name);
  }

  /** {@code resourceGroup/loadBalancer/pool}, the form used in the API. */
  public String inFull() {
    return loadBalancer.resourceGroup() + "/" + this;
  }

  /** {@code loadBalancer/pool}, the form used in logs. */
  @Override
  public String toString() {
    return loadBalancer + "/" + name;
  }
}
