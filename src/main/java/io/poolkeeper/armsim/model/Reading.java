package io.poolkeeper.armsim.model;

import io.poolkeeper.model.LoadBalancerId;
import java.util.Optional;

/**
 * The circumstances in which a document is read. A client's word is checked against what is stored
 * and against other resources; what comes from a state file was checked when it was written, and
 * may say what only the server says, such as which NICs are in a pool.
 *
 * @param before what the write replaces
 * @param stored whether the document comes from a state file
 */
record Reading(
    LoadBalancerId id, Optional<LoadBalancerContent> before, boolean stored, Networks networks) {

  static Reading stored(LoadBalancerId id) {
    return new Reading(id, Optional.empty(), true, Networks.ANY);
  }

  static Reading written(LoadBalancerId id, Optional<LoadBalancer> before, Networks networks) {
    return new Reading(id, before.map(LoadBalancer::content), false, networks);
  }

  /** The pool of this name that the write replaces. */
  Optional<Pool> pool(String name) {
    return before.flatMap(content -> content.pool(name));
  }
}
