package io.poolkeeper.node;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.AdminReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What can happen to the node watcher; the messages of its actor. */
public sealed interface NodeEvent {
  /** Nodes as they are now; empty for a Node that was deleted. */
  record NodesChanged(Map<NodeKey, Optional<NodeView>> changes) implements NodeEvent {}

  /** Nodes may have changed unseen, until the cache is synced again. */
  record WatchLost() implements NodeEvent {}

  /** The cache holds all Nodes, at the start and after the loss of its watch. */
  record Synced() implements NodeEvent {}

  /**
   * A Kubernetes event with reason {@code PreemptScheduled}, new, repeated or listed again.
   *
   * @param uid of the node, as the event says
   * @param at when it last happened, by the clock of its sender; compared with Nodes' times only
   * @param age how long ago that was
   */
  record Preempted(
      NodeKey node, String uid, String message, Instant at, Duration age, Origin origin)
      implements NodeEvent {
    Preempted later(Duration passed) {
      return new Preempted(node, uid, message, at, age.plus(passed), origin);
    }
  }

  /**
   * Where an event comes from. The API server vouches for the namespace alone.
   *
   * @param namespace in which the event is
   * @param about the namespace of the object that it is about, as it says; empty if it says none
   * @param source the component that reports it, as it says; empty if it says none
   */
  record Origin(String namespace, String about, String source) {
    /** Whether it is about an object without a namespace, or in its own. */
    boolean aboutItself() {
      return about.isEmpty() || about.equals(namespace);
    }
  }

  /** Whether patches wait from now on, for the end of a pause. */
  record Paused(boolean paused) implements NodeEvent {}

  record Lead() implements NodeEvent {}

  record Patched(NodeKey node, String uid, PatchResult result) implements NodeEvent {}

  /** A pool has an actor, which knows nothing yet: for the first time, or again after a failure. */
  record PoolAppeared(PoolId pool) implements NodeEvent {}

  record PoolGone(PoolId pool) implements NodeEvent {}

  /**
   * A listing was processed that had begun after the service map had received this version: every
   * pool that contains a node of the cluster has appeared.
   *
   * @param unseen the pools that the listing could not show, each with the nodes whose states there
   *     were wrong or held when the pool was seen last
   * @param unread the resource groups that cannot be read, and whose pools may not have appeared
   */
  record Listed(long version, Map<PoolId, Set<NodeKey>> unseen, Set<String> unread)
      implements NodeEvent {
    /** No listing counts any more, until the next. */
    public static final Listed NOTHING = new Listed(-1, Map.of(), Set.of());

    public Listed {
      unseen = Map.copyOf(unseen);
      unread = Set.copyOf(unread);
    }
  }

  /** The IP configurations in pools whose ids do not name their machine; folded. */
  record InterfacesSeen(Set<String> ipConfigurations) implements NodeEvent {
    public InterfacesSeen {
      ipConfigurations = Set.copyOf(ipConfigurations);
    }
  }

  record ReadGranted() implements NodeEvent {}

  /** An interface was read; empty if no machine has it. */
  record InterfaceRead(String ipConfiguration, Optional<String> machine) implements NodeEvent {}

  record InterfaceUnread(String ipConfiguration, ArmFailure failure) implements NodeEvent {}

  record PoolReported(PoolId pool, AdminReport report) implements NodeEvent {}

  record TimerDue() implements NodeEvent {}

  /** The process ends: nothing is decided any more. */
  record Stop() implements NodeEvent {}
}
