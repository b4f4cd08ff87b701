package io.poolkeeper.node;

import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The taints that take a Node out of service. Keys match exactly; effect and value do not matter,
 * as programs differ there. A cordon is no signal. Further taints are configured.
 */
public final class Signals {
  /** The value of {@link OutOfService#DRAINING} for a preemption. */
  public static final String SPOT_EVICTION = "spot-eviction";

  private static final String OPT_OUT = "poolkeeper.io/admin-state";

  private Signals() {}

  /**
   * Why and since when a node is out of service; empty if it is in service, or is to be left alone.
   *
   * @param extraTaints keys of further taints that mean leaving
   * @param before the last reason of the node of this name
   */
  static Optional<Leaving> of(
      NodeView node, Set<String> extraTaints, Optional<Leaving> before, Instant now) {
    Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    if (!ignored(node)) {
      Stream.of(Reason.values()).filter(reason -> reason.isIn(node.taints())).forEach(reasons::add);
      if (!Collections.disjoint(node.taints(), extraTaints)) {
        reasons.add(Reason.EXTRA_TAINT);
      }
    }
    if (reasons.isEmpty()) {
      return Optional.empty();
    }
    Optional<Leaving> same = before.filter(leaving -> leaving.uid().equals(node.uid()));
    Instant since = same.map(Leaving::since).orElse(now);
    return Optional.of(new Leaving(node.uid(), reasons, since));
  }

  /** Whether a node is neither tainted nor written. */
  static boolean ignored(NodeView node) {
    return "ignore".equals(node.labels().get(OPT_OUT));
  }
}
