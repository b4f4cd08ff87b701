package io.poolkeeper.node;

import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService.Reason;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The signals on a Node. Keys of taints match exactly; effect and value do not matter, as those who
 * set them differ there. A cordon is none. Further taints are configured.
 */
public final class Signals {
  /** Set for a preemption, or by an operator. */
  public static final String DRAINING = "cloudprovider.azure.microsoft.com/draining";

  /** Its value for a preemption. */
  public static final String SPOT_EVICTION = "spot-eviction";

  private static final Map<String, Reason> TAINTS =
      Map.of(
          "node.kubernetes.io/out-of-service",
          Reason.OUT_OF_SERVICE,
          "node.cloudprovider.kubernetes.io/shutdown",
          Reason.SHUTDOWN,
          DRAINING,
          Reason.SPOT_EVICTION);

  private static final String OPT_OUT = "poolkeeper.io/admin-state";

  private Signals() {}

  /**
   * Why a node is out of service; empty if it is in service, or is to be left alone.
   *
   * @param extraTaints keys of further taints that mean leaving
   */
  static Set<Reason> of(NodeView node, Set<String> extraTaints) {
    Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    if (!ignored(node)) {
      TAINTS.forEach(
          (taint, reason) -> {
            if (node.taints().contains(taint)) {
              reasons.add(reason);
            }
          });
      if (!Collections.disjoint(node.taints(), extraTaints)) {
        reasons.add(Reason.EXTRA_TAINT);
      }
    }
    return reasons;
  }

  /** Whether a node is neither tainted nor written. */
  static boolean ignored(NodeView node) {
    return "ignore".equals(node.labels().get(OPT_OUT));
  }
}
