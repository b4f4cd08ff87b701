package io.poolkeeper.armsim.model;

import java.util.Optional;

/**
 * What a PUT of a whole load balancer does to the addresses in its pools. Azure answers success and
 * changes none; templates that list them leave a new pool empty.
 */
public enum ParentAddresses {
  /** Existing pools keep their addresses, and new pools are empty. */
  IGNORED,
  /** Pools hold what was sent. */
  REPLACED;

  LoadBalancerContent written(LoadBalancerContent sent, Optional<LoadBalancerContent> before) {
    return switch (this) {
      case IGNORED -> sent.withAddressesOf(before);
      case REPLACED -> sent;
    };
  }
}
