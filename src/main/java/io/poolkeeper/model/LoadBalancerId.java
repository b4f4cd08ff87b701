package io.poolkeeper.model;

import static io.poolkeeper.model.Names.fold;
import static io.poolkeeper.model.Names.required;
import static io.poolkeeper.model.Names.same;

import org.jspecify.annotations.Nullable;

/** An Azure load balancer. Two ids are equal if they differ in case only, as in ARM. */
public record LoadBalancerId(String subscription, String resourceGroup, String name)
    implements Comparable<LoadBalancerId> {
  public LoadBalancerId {
    required("subscription", subscription);
    required("resource group", resourceGroup);
    required("load balancer", name);
  }

  public PoolId pool(String pool) {
    return new PoolId(this, pool);
  }

  /** The resource group in its normal form. */
  public String group() {
    return fold(resourceGroup);
  }

  /** The ARM resource id. */
  public String path() {
    return "/subscriptions/"
        + subscription
        + "/resourceGroups/"
        + resourceGroup
        + "/providers/Microsoft.Network/loadBalancers/"
        + name;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LoadBalancerId id
        && same(name, id.name)
        && same(resourceGroup, id.resourceGroup)
        && same(subscription, id.subscription);
  }

  @Override
  public int hashCode() {
    return 31 * fold(resourceGroup).hashCode() + fold(name).hashCode();
  }

  @Override
  public int compareTo(LoadBalancerId other) {
    int byGroup = Names.compare(resourceGroup, other.resourceGroup);
    int bySubscription = Names.compare(subscription, other.subscription);
    int byPlace = bySubscription != 0 ? bySubscription : byGroup;
    return byPlace != 0 ? byPlace : Names.compare(name, other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
