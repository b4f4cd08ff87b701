package io.poolkeeper.armsim.resource;

import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.List;
import java.util.Map;

/** The links of resources to the load balancers, which are stored elsewhere. */
public interface BalancerLinks {
  /** Whether an id names a load balancer or a part of one. */
  boolean contains(ResourceId id);

  /** The frontends that use public addresses, by the folded id of the address. */
  Map<String, String> frontendsByAddress();

  /**
   * Reports ip configurations that left or joined pools because network interfaces were written or
   * removed.
   */
  void moved(List<PoolMembership> left, List<PoolMembership> joined);
}
