package io.poolkeeper.node;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.node.NodeState.Snapshots;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * The policy of the node watcher (spec 2): which nodes are out of service, when pools hear of it,
 * which node is tainted because of a preemption, and what people hear.
 *
 * <p>Invariants: nothing is broadcast, patched or reported before this replica leads, and nothing
 * is patched during a pause; nothing is broadcast before the cache of nodes was complete; versions
 * grow by one; a snapshot is broadcast only if it says something new; the same preemption taints a
 * node, known by its UID, at most once.
 */
public record NodeCore(NodeLimits limits) implements Core<NodeState, NodeEvent, NodeEffect> {
  /** The maximum of contests that one snapshot reports: a kubelet may claim all addresses. */
  private static final int MOST_CONTESTS = 10;

  @Override
  public Decision<NodeState, NodeEffect> decide(
      NodeState state, NodeEvent event, Instant now, RandomGenerator random) {
    if (state.stopped()) {
      return Decision.of(state);
    }
    Step step = new Step(state, now, random);
    step.take(event);
    step.takeDue();
    return new Decision<>(step.state(), step.effects);
  }

  @Override
  public Optional<Instant> wakeAt(NodeState state) {
    return state.wakeAt();
  }

  /** One decision: a working copy of the state, and the effects. */
  private final class Step {
    private final Instant now;
    private final RandomGenerator random;
    private final List<NodeEffect> effects = new ArrayList<>();
    private HashPMap<NodeKey, NodeView> nodes;
    private TreePMap<NodeKey, Leaving> leaving;
    private boolean leads;
    private boolean paused;
    private boolean stopped;
    private Snapshots snapshots;
    private Set<Placements.Contest> contests;
    private Interfaces interfaces;
    private Preemptions preemptions;
    private SignalProgress progress;

    Step(NodeState state, Instant now, RandomGenerator random) {
      this.now = now;
      this.random = random;
      nodes = state.nodes();
      leaving = state.leaving();
      leads = state.leads();
      paused = state.paused();
      snapshots = state.snapshots();
      contests = state.contests();
      interfaces = state.interfaces();
      preemptions = state.preemptions();
      progress = state.progress();
    }

    NodeState state() {
      return new NodeState(
          nodes,
          leaving,
          leads,
          paused,
          stopped,
          snapshots,
          contests,
          interfaces,
          preemptions,
          progress);
    }

    void take(NodeEvent event) {
      switch (event) {
        case NodeEvent.NodesChanged changed ->
            changed.changes().forEach(leads ? this::nodeChanged : this::mirror);
        case NodeEvent.WatchLost lost -> {
          snapshots = snapshots.withLive(false);
          if (leads) {
            snapshots = snapshots.changed(limits.window(), now);
          }
        }
        case NodeEvent.Synced synced -> synced();
        case NodeEvent.Paused pause -> paused = pause.paused();
        case NodeEvent.Lead lead -> lead();
        case NodeEvent.Preempted preempted -> preempted(preempted);
        case NodeEvent.Patched patched ->
            preemptions = preemptions.patched(patched, nodes.get(patched.node()), now, random);
        case NodeEvent.PoolAppeared appeared ->
            progress = progress.appeared(appeared.pool(), now, effects);
        case NodeEvent.PoolGone gone -> progress = progress.gone(gone.pool(), now, effects);
        case NodeEvent.Listed listed -> progress = progress.listed(listed, now, effects);
        case NodeEvent.PoolReported reported ->
            progress = progress.reported(reported.pool(), reported.report(), nodes, now, effects);
        case NodeEvent.InterfacesSeen seen -> interfaces = interfaces.seen(seen.ipConfigurations());
        case NodeEvent.ReadGranted granted -> {
          interfaces = interfaces.granted(now);
          if (interfaces.call() instanceof Interfaces.Reading reading) {
            effects.add(new NodeEffect.ReadInterface(reading.ipConfiguration()));
          }
        }
        case NodeEvent.InterfaceRead read -> {
          interfaces = interfaces.read(read.ipConfiguration(), read.machine(), now);
          if (read.machine().isPresent()) {
            snapshots = snapshots.moved(now);
          }
        }
        case NodeEvent.InterfaceUnread unread -> {
          if (interfaces.failed().ids().isEmpty()) {
            effects.add(
                new NodeEffect.InterfaceUnknown(unread.ipConfiguration(), unread.failure()));
          }
          interfaces = interfaces.failed(unread.ipConfiguration(), now, random);
        }
        case NodeEvent.TimerDue due -> {}
        case NodeEvent.Stop stop -> {
          stopped = true;
          preemptions = preemptions.stopped();
        }
      }
    }

    /** A timer may be late, so each event takes what is due. */
    void takeDue() {
      if (!stopped && snapshots.coalescing().isDue(now)) {
        snapshots = snapshots.passed(broadcast(), limits.window(), now);
      }
      if (interfaces.wakeAt().filter(at -> !at.isAfter(now)).isPresent()) {
        interfaces = interfaces.requested();
        effects.add(new NodeEffect.RequestRead());
      }
      if (!paused) {
        preemptions = preemptions.patching(limits.spot().mostTainted(nodes.size()), now, effects);
      }
    }

    /** The nodes that were mirrored on standby are news, as in a process that has just started. */
    private void lead() {
      if (leads) {
        return;
      }
      leads = true;
      HashPMap<NodeKey, NodeView> mirrored = nodes;
      nodes = HashTreePMap.empty();
      mirrored.forEach((key, view) -> nodeChanged(key, Optional.of(view)));
      if (snapshots.live()) {
        synced();
      }
    }

    private void mirror(NodeKey key, Optional<NodeView> after) {
      nodes = after.isPresent() ? nodes.plus(key, after.get()) : nodes.minus(key);
    }

    private void nodeChanged(NodeKey key, Optional<NodeView> after) {
      Optional<NodeView> before = Optional.ofNullable(nodes.get(key));
      if (before.equals(after) || !limits.enabled()) {
        return;
      }
      mirror(key, after);
      boolean placed = !before.map(Placement::of).equals(after.map(Placement::of));
      if (placed || !before.map(NodeView::ready).equals(after.map(NodeView::ready))) {
        snapshots = snapshots.moved(now);
      }
      if (placed && !before.flatMap(NodeView::machine).equals(after.flatMap(NodeView::machine))) {
        interfaces = interfaces.machineAppeared();
      }
      Optional<Leaving> left = Optional.ofNullable(leaving.get(key));
      Optional<Leaving> leaves =
          after.flatMap(view -> Signals.of(view, limits.extraTaints(), left, now));
      if (!left.equals(leaves)) {
        leaving = leaves.isPresent() ? leaving.plus(key, leaves.get()) : leaving.minus(key);
        snapshots = snapshots.changed(limits.window(), now);
      }
      String uid = before.map(NodeView::uid).orElse("");
      if (after.filter(view -> view.uid().equals(uid) && !Signals.ignored(view)).isEmpty()) {
        progress = progress.without(key);
      }
      if (limits.spot().enabled()) {
        adopt(key, preemptions.nodeChanged(key, before, after, now));
      }
    }

    private void synced() {
      snapshots = snapshots.withLive(limits.enabled());
      if (snapshots.live() && leads) {
        snapshots = snapshots.changed(limits.window(), now);
        List<NodeEvent.Preempted> held = preemptions.held(now);
        preemptions = preemptions.released();
        held.forEach(this::preempted);
      }
    }

    private void preempted(NodeEvent.Preempted event) {
      if (!limits.enabled() || !limits.spot().enabled()) {
        return;
      }
      if (snapshots.live() && leads) {
        NodeView node = nodes.get(event.node());
        adopt(event.node(), preemptions.preempted(event, node, limits.spot(), now, effects));
      } else if (limits.spot().refusal(event).isEmpty()) {
        preemptions = preemptions.holding(event, now);
      }
    }

    /**
     * Adopts what came of news of a node, and reports an eviction that waits for a pause to end.
     */
    private void adopt(NodeKey node, Preemptions next) {
      if (paused && next.announced(node) && !preemptions.announced(node)) {
        effects.add(new NodeEffect.PreemptionWaits(node, true));
      }
      preemptions = next;
    }

    /**
     * The node of each address and machine. Two nodes that newly claim the same get a Warning each,
     * a few at a time; the others follow with later snapshots.
     */
    private ClusterNodes placeNodes() {
      Placements places = Placements.of(nodes.values(), leaving.keySet(), interfaces.known());
      Map<Placements.Contest, String> news = new TreeMap<>(places.contests());
      news.keySet().removeAll(contests);
      Set<Placements.Contest> known = new HashSet<>(contests);
      known.removeIf(
          contest -> !nodes.containsKey(contest.owner()) || !nodes.containsKey(contest.rival()));
      for (var entry : news.entrySet().stream().limit(MOST_CONTESTS).toList()) {
        Placements.Contest contest = entry.getKey();
        known.add(contest);
        effects.add(contested(contest.owner(), contest, entry.getValue()));
        effects.add(contested(contest.rival(), contest, entry.getValue()));
      }
      contests = Set.copyOf(known);
      ClusterNodes last = snapshots.last().nodes();
      return places.nodes().equals(last) ? last : places.nodes();
    }

    private NodeEffect contested(NodeKey about, Placements.Contest contest, String claim) {
      String uid = Optional.ofNullable(nodes.get(about)).map(NodeView::uid).orElse("");
      return new NodeEffect.Emit(NodeEventTexts.contested(about, uid, contest, claim));
    }

    /** The next snapshot, or the last one if nothing has changed. */
    private OutOfService broadcast() {
      OutOfService last = snapshots.last();
      boolean first = snapshots.noneSent();
      boolean moved = first || snapshots.moved() || !contests.isEmpty();
      ClusterNodes placed = moved ? placeNodes() : last.nodes();
      long version = last.version() + 1;
      OutOfService next =
          new OutOfService(version, placed, leaving, snapshots.live(), limits.minActive());
      if (!first
          && next.live() == last.live()
          && next.leaving().equals(last.leaving())
          && next.nodes().equals(last.nodes())) {
        return last;
      }
      progress = progress.begun(last, next, nodes, snapshots.coalescing().since().orElse(now));
      effects.add(new NodeEffect.Broadcast(next));
      return next;
    }
  }
}
