package io.poolkeeper.kube;

import java.util.Optional;

/**
 * The health of one watch.
 *
 * @param connected whether a watch is open; briefly false now and then, as the API server ends old
 *     watches
 * @param synced whether the actor has received all objects of the first list; stays true
 * @param lastError why the last attempt failed; empty after a success
 */
public record WatchHealth(
    String kind, boolean connected, boolean synced, Optional<String> lastError) {
  /** A readable description of the problem, if there is one. */
  public Optional<String> problem() {
    return connected
        ? Optional.empty()
        : Optional.of(
            "watch of " + kind + " is not connected" + lastError.map(": "::concat).orElse(""));
  }
}
