package io.poolkeeper.armsim.model;

/**
 * What a PUT of a whole load balancer does to the addresses in its pools. Azure answers success and
 * changes none; templates that list them leave a new pool empty.
 */
public enum ParentAddresses {
  /** Existing pools keep their addresses, and new pools are empty. */
  IGNORED,
  /** Pools hold what was sent. */
  REPLACED
}
