package io.poolkeeper.node;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The policy of the node watcher (spec 2): which nodes are out of service, when pools hear of it,
 * which node is tainted because of a preemption, and what people hear.
 *
 * <p>Invariants: nothing is broadcast, patched or reported before this replica leads, and nothing
 * is patched while that is paused; nothing is broadcast before the cache of nodes was complete;
 * versions grow by one; a snapshot is broadcast only if it says something new; the same preemption
 * taints a node, known by its UID, at most once.
 */
public record NodeCore(NodeLimits limits) implements Core<NodeState, NodeEvent, NodeEffect> {
  @Override
  public Decision<NodeState, NodeEffect> decide(
      NodeState state, NodeEvent event, Instant now, RandomGenerator random) {
    if (state.stopped()) {
      return Decision.of(state);
    }
    NodeStep step = new NodeStep(limits, state, now);
    switch (event) {
      case NodeEvent.NodesChanged changed -> step.nodes(changed.changes());
      case NodeEvent.WatchLost lost -> step.watchLost();
      case NodeEvent.Synced synced -> step.synced();
      case NodeEvent.Paused paused -> step.paused(paused.paused());
      case NodeEvent.Lead lead -> step.lead();
      case NodeEvent.Preempted preempted -> step.preempted(preempted);
      case NodeEvent.Patched patched -> step.patched(patched, random);
      case NodeEvent.PoolAppeared appeared -> step.progress().appeared(appeared.pool());
      case NodeEvent.PoolGone gone -> step.progress().gone(gone.pool());
      case NodeEvent.Listed listed -> step.progress().listed(listed.version());
      case NodeEvent.InterfacesSeen seen -> step.interfaces(seen.ipConfigurations());
      case NodeEvent.ReadGranted granted -> step.readGranted();
      case NodeEvent.InterfaceRead read -> step.read(read);
      case NodeEvent.InterfaceUnread unread -> step.unread(unread, random);
      case NodeEvent.PoolReported reported ->
          step.progress().reported(reported.pool(), reported.report());
      case NodeEvent.TimerDue due -> {}
      case NodeEvent.Stop stop -> step.stop();
    }
    return step.decision();
  }

  @Override
  public Optional<Instant> wakeAt(NodeState state) {
    return state.wakeAt();
  }
}
