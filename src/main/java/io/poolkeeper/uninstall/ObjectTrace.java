package io.poolkeeper.uninstall;

import io.poolkeeper.model.PoolReference;
import java.util.Optional;

/**
 * Something of ours in the cluster.
 *
 * @param object such as {@code Node n1}
 * @param what is taken from it
 * @param pool which is cleaned before; empty if there is none
 * @param removal fails if the API server refuses; what is gone already is no failure
 */
public record ObjectTrace(
    String object, String what, Optional<PoolReference> pool, Runnable removal) {
  public String line() {
    return object + ": " + what;
  }
}
