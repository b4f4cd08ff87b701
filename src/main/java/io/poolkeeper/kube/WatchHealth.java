package io.poolkeeper.kube;

import io.poolkeeper.watch.WatchLiveness;
import java.util.Optional;

/**
 * The health of the watch of one kind of object.
 *
 * @param connected whether a watch is open; briefly false now and then, as the API server ends old
 *     watches
 * @param synced whether the actor has received all objects of the first list; stays true
 * @param lost whether what the actor has received may be old, see {@link WatchLiveness}
 * @param lastError why the last attempt failed; empty after a success
 */
public record WatchHealth(
    String kind, boolean connected, boolean synced, boolean lost, Optional<String> lastError) {
  /** The kind, as metrics and causes name it. */
  String label() {
    return switch (kind) {
      case "endpointslices" -> "endpoint-slices";
      case "backendpoolbindings" -> "bindings";
      default -> kind;
    };
  }

  /** A readable description of the problem, if there is one. */
  public Optional<String> problem() {
    String problem;
    if (lost) {
      problem = "is lost: nothing is removed or repaired before it has listed again";
    } else if (!connected) {
      problem = "is not connected";
    } else {
      return Optional.empty();
    }
    String error = lastError.map(": "::concat).orElse("");
    return Optional.of("watch of %s %s%s".formatted(label(), problem, error));
  }
}
