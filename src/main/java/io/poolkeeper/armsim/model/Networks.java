package io.poolkeeper.armsim.model;

/** The virtual networks and subnets that load balancers may reference. */
@FunctionalInterface
public interface Networks {
  /** Accepts every id. */
  Networks ANY = id -> true;

  /** Whether there is a virtual network or subnet with this id, in any case. */
  boolean known(String resourceId);
}
