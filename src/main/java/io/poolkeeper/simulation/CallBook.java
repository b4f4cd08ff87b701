package io.poolkeeper.simulation;

import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The checker's own count of one life's exchanges with ARM, to hold against the metric that the
 * controller keeps of them: each is counted once, under its kind, with the status that arrived.
 */
final class CallBook {
  private final Map<String, Integer> uncounted = new HashMap<>();
  private final Map<String, Integer> arrived = new HashMap<>();

  void sent(ArmCall call) {
    uncounted.merge(kind(call), 1, Integer::sum);
  }

  void arrived(ArmCall call, int status) {
    arrived.merge(kind(call) + " " + status, 1, Integer::sum);
  }

  /** Says what is wrong with what the controller counts; status 0 is no answer at all. */
  Optional<String> counted(String kind, int status) {
    if (uncounted.merge(kind, -1, Integer::sum) < 0) {
      return Optional.of("counts a call of kind " + kind + " that was not made");
    }
    if (status != 0 && arrived.merge(kind + " " + status, -1, Integer::sum) < 0) {
      return Optional.of("counts an answer " + status + " to " + kind + " that did not arrive");
    }
    return Optional.empty();
  }

  /** Exchanges that are not counted yet. */
  int uncounted() {
    return uncounted.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static String kind(ArmCall call) {
    if (call.method() == ArmCall.Method.PUT) {
      return "put";
    }
    if (call.path() instanceof ArmPath.OnePool) {
      return "get";
    }
    return call.path() instanceof ArmPath.LoadBalancers ? "list" : "poll";
  }
}
