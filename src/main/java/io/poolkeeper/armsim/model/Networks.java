package io.poolkeeper.armsim.model;

/**
 * What load balancers refer to and do not hold: virtual networks and their subnets. Whoever keeps
 * those says which there are.
 */
@FunctionalInterface
public interface Networks {
  /** Takes every id for one of a network that exists. */
  Networks ANY = id -> true;

  /** Whether there is a virtual network or subnet with this id, in any case. */
  boolean known(String resourceId);
}
