package io.poolkeeper.armsim.resource;

import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.List;
import java.util.Map;

/**
 * What resources have to know of the load balancers, which are kept elsewhere, and what they tell
 * them.
 */
public interface Neighbours {
  /** Whether an id names a load balancer or a part of one. */
  boolean contains(ResourceId id);

  /** The frontends that use public addresses, by the folded id of the address. */
  Map<String, String> frontendsByAddress();

  /**
   * Network interfaces were written or removed, and so ip configurations left pools and joined
   * others.
   */
  void moved(List<PoolMembership> left, List<PoolMembership> joined);
}
