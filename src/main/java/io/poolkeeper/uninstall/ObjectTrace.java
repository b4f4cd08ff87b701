package io.poolkeeper.uninstall;

import io.poolkeeper.model.PoolReference;
import java.util.Optional;

/**
 * Something that Poolkeeper has left at an object of the cluster.
 *
 * @param object such as {@code Node n1}
 * @param what is taken from the object
 * @param pool which is cleaned before; empty if there is none
 * @param removal fails if the API server refuses; what is gone already is no failure
 */
public record ObjectTrace(
    String object, String what, Optional<PoolReference> pool, Runnable removal) {
  public String line() {
    return object + ": " + what;
  }
}
