package io.poolkeeper.kube;

import java.util.Optional;

/**
 * The condition of one watch at one moment.
 *
 * @param connected whether a watch is open; false for moments now and then, as the API server ends
 *     watches of some age
 * @param synced whether the actor has taken everything of the first listing; never false again
 * @param lastError why the last attempt failed; empty after a success
 */
public record WatchHealth(
    String kind, boolean connected, boolean synced, Optional<String> lastError) {
  /** What is wrong, for people; empty if nothing is. */
  public Optional<String> problem() {
    return connected
        ? Optional.empty()
        : Optional.of(
            "watch of " + kind + " is not connected" + lastError.map(": "::concat).orElse(""));
  }
}
