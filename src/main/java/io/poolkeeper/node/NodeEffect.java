package io.poolkeeper.node;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** What the node watcher asks its actor to do, in order. */
public sealed interface NodeEffect {
  record Broadcast(OutOfService outOfService) implements NodeEffect {}

  /**
   * Record preemptions on a Node, and taint it.
   *
   * @param ids for the annotation {@link HandledPreemptions}
   * @param taint whether the draining taint is added, too, if the Node lacks it; not if the node
   *     was tainted for the same preemption before
   */
  record Patch(NodeKey node, String uid, List<String> ids, boolean taint) implements NodeEffect {
    public Patch {
      ids = List.copyOf(ids);
    }
  }

  /** Count an event that announces no preemption; {@code log} if it is the node's first such. */
  record EventIgnored(NodeKey node, SpotLimits.Refusal why, NodeEvent.Preempted event, boolean log)
      implements NodeEffect {}

  /**
   * Log that a preemption does not taint its node yet.
   *
   * @param paused whether a pause is the reason; else the share of nodes is reached that may be
   *     tainted because of events alone ({@link SpotLimits#maxTainted})
   */
  record PreemptionWaits(NodeKey node, boolean paused) implements NodeEffect {}

  /** Ask the rate limiter to admit the call to a network interface. */
  record RequestRead() implements NodeEffect {}

  /** Read which machine has the network interface of an IP configuration. */
  record ReadInterface(String ipConfiguration) implements NodeEffect {}

  /** Log that an interface could not be read; its entries are left alone. */
  record InterfaceUnknown(String ipConfiguration, ArmFailure failure) implements NodeEffect {}

  record Emit(ObjectEvent event) implements NodeEffect {}

  /** Log and count that these nodes stay in service in a pool, as too few entries would be left. */
  record Held(PoolId pool, Set<NodeKey> nodes) implements NodeEffect {
    public Held {
      nodes = Set.copyOf(nodes);
    }
  }

  /**
   * Record that every pool shows what a node's signal asks for.
   *
   * @param down whether the signal came; false if it went
   * @param took how long that took since the signal came or went
   */
  record Propagated(NodeKey node, boolean down, Duration took) implements NodeEffect {}
}
