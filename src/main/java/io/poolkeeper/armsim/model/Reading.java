package io.poolkeeper.armsim.model;

import io.poolkeeper.model.LoadBalancerId;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The context of reading a document. A client's document is checked against the stored one and
 * other resources; one from a state file was checked before, and may have members that only the
 * server sets, such as the NICs in a pool.
 *
 * @param before the load balancer that the write replaces
 * @param stored whether the document comes from a state file
 * @param networks whether the id of a virtual network or subnet may be referenced
 */
record Reading(
    LoadBalancerId id,
    Optional<LoadBalancerContent> before,
    boolean stored,
    Predicate<String> networks) {

  static Reading stored(LoadBalancerId id) {
    return new Reading(id, Optional.empty(), true, network -> true);
  }

  static Reading written(
      LoadBalancerId id, Optional<LoadBalancer> before, Predicate<String> networks) {
    return new Reading(id, before.map(LoadBalancer::content), false, networks);
  }

  Optional<Pool> pool(String name) {
    return before.flatMap(content -> content.pool(name));
  }
}
