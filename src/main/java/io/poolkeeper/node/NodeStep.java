package io.poolkeeper.node;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.OutOfService.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/** One decision of the node watcher: a working copy of its state, and the effects. */
final class NodeStep {
  private final NodeLimits limits;
  private final Instant now;
  private final List<NodeEffect> effects = new ArrayList<>();
  private final SignalProgress progress;
  private final Preemptions preemptions;
  private HashPMap<NodeKey, NodeView> nodes;
  private TreePMap<NodeKey, Leaving> leaving;
  private boolean leads;
  private boolean live;
  private boolean moved;
  private Pacing pacing;
  private OutOfService last;
  private Interfaces interfaces;
  private boolean paused;
  private boolean stopped;

  NodeStep(NodeLimits limits, NodeState state, Instant now) {
    this.limits = limits;
    this.now = now;
    progress = new SignalProgress(state.seen(), state.transitions(), now, effects);
    preemptions = new Preemptions(limits, state, now, effects);
    nodes = state.nodes();
    leaving = state.leaving();
    leads = state.leads();
    live = state.live();
    moved = state.moved();
    pacing = state.pacing();
    last = state.last();
    interfaces = state.interfaces();
    paused = state.paused();
    stopped = state.stopped();
  }

  /** What is due goes with any event: a timer may come late. */
  Decision<NodeState, NodeEffect> decision() {
    if (pacing.isDue(now)) {
      pacing = pacing.passed(broadcast(), limits.window(), now);
    }
    if (interfaces.wakeAt().filter(at -> !at.isAfter(now)).isPresent()) {
      interfaces = interfaces.requested();
      effects.add(new NodeEffect.RequestRead());
    }
    if (!paused) {
      preemptions.patch();
    }
    return new Decision<>(
        new NodeState(
            nodes,
            leaving,
            leads,
            live,
            moved,
            pacing,
            last,
            interfaces,
            preemptions.spots(),
            preemptions.held(),
            preemptions.ignored(),
            progress.seen(),
            progress.transitions(),
            paused,
            stopped),
        effects);
  }

  SignalProgress progress() {
    return progress;
  }

  void nodes(Map<NodeKey, Optional<NodeView>> changes) {
    if (leads) {
      changes.forEach(this::node);
    } else {
      changes.forEach(
          (key, after) ->
              nodes = after.map(view -> nodes.plus(key, view)).orElseGet(() -> nodes.minus(key)));
    }
  }

  void paused(boolean is) {
    paused = is;
  }

  /** What was mirrored on standby is news, as in a process that has just started. */
  void lead() {
    if (leads) {
      return;
    }
    leads = true;
    HashPMap<NodeKey, NodeView> mirrored = nodes;
    nodes = HashTreePMap.empty();
    mirrored.forEach((key, view) -> node(key, Optional.of(view)));
    if (live) {
      synced();
    }
  }

  private void node(NodeKey key, Optional<NodeView> after) {
    Optional<NodeView> before = Optional.ofNullable(nodes.get(key));
    if (before.equals(after) || !limits.enabled()) {
      return;
    }
    nodes = after.map(view -> nodes.plus(key, view)).orElseGet(() -> nodes.minus(key));
    if (!before.map(Placement::of).equals(after.map(Placement::of))) {
      moved();
      interfaces = interfaces.machineAppeared();
    }
    Optional<Leaving> was = Optional.ofNullable(leaving.get(key));
    Optional<Leaving> is = after.flatMap(view -> leaving(view, was));
    if (!was.equals(is)) {
      leaving = is.map(why -> leaving.plus(key, why)).orElseGet(() -> leaving.minus(key));
      changed();
    }
    String uid = before.map(NodeView::uid).orElse("");
    if (after.filter(view -> view.uid().equals(uid) && !Signals.ignored(view)).isEmpty()) {
      progress.forget(key);
    }
    preemptions.node(key, after);
  }

  private Optional<Leaving> leaving(NodeView node, Optional<Leaving> before) {
    Set<Reason> reasons = Signals.of(node, limits.extraTaints());
    Optional<Leaving> same = before.filter(was -> was.uid().equals(node.uid()));
    Instant since = same.map(Leaving::since).orElse(now);
    return reasons.isEmpty()
        ? Optional.empty()
        : Optional.of(new Leaving(node.uid(), reasons, since));
  }

  /** Entries belong to other nodes than before. */
  private void moved() {
    moved = true;
    if (live || last.version() > 0) {
      pacing = pacing.moved(now);
    }
  }

  /** Before the first list is complete, the end of it counts as the change. */
  private void changed() {
    if (live || last.version() > 0) {
      pacing = pacing.changed(limits.window(), now);
    }
  }

  void watchLost() {
    live = false;
    if (leads) {
      changed();
    }
  }

  void synced() {
    live = limits.enabled();
    if (live && leads) {
      changed();
      preemptions.release().forEach(this::preempted);
    }
  }

  /** Says whether a snapshot was new. */
  private boolean broadcast() {
    ClusterNodes places =
        moved || last.version() == 0
            ? Placement.of(nodes.values(), interfaces.known())
            : last.nodes();
    moved = false;
    OutOfService next =
        new OutOfService(
            last.version() + 1, places, new TreeMap<>(leaving), live, limits.minActive());
    boolean first = last.version() == 0;
    if (first
        || next.live() != last.live()
        || !next.leaving().equals(last.leaving())
        || !next.nodes().equals(last.nodes())) {
      begin(next, first);
      last = next;
      effects.add(new NodeEffect.Broadcast(next));
      return true;
    }
    return false;
  }

  /** The transitions that begin with a snapshot. */
  private void begin(OutOfService next, boolean first) {
    next.leaving()
        .forEach(
            (node, why) ->
                progress.leaves(
                    node,
                    why.uid(),
                    why.reasons(),
                    next.version(),
                    first ? Optional.empty() : Optional.of(why.since())));
    last.leaving().keySet().stream()
        .filter(node -> !next.leaving().containsKey(node))
        .forEach(node -> begin(node, next.version()));
    progress.live(next.live(), next.version());
  }

  private void begin(NodeKey node, long version) {
    NodeView view = nodes.get(node);
    Leaving was = last.leaving().get(node);
    if (view != null && was != null && view.uid().equals(was.uid()) && !Signals.ignored(view)) {
      progress.returns(node, was.uid(), version, pacing.since().orElse(now));
    } else {
      progress.forget(node);
    }
  }

  void preempted(NodeEvent.Preempted event) {
    if (live && leads) {
      preemptions.preempted(event, nodes.get(event.node()));
    } else {
      preemptions.hold(event);
    }
  }

  void patched(NodeEvent.Patched patched, RandomGenerator random) {
    preemptions.patched(patched, nodes.get(patched.node()), random);
  }

  void interfaces(Set<String> ipConfigurations) {
    interfaces = interfaces.seen(ipConfigurations);
  }

  void readGranted() {
    interfaces = interfaces.granted(now);
    if (interfaces.call() instanceof Interfaces.Reading reading) {
      effects.add(new NodeEffect.ReadInterface(reading.ipConfiguration()));
    }
  }

  void read(NodeEvent.InterfaceRead read) {
    interfaces = interfaces.read(read.ipConfiguration(), read.machine(), now);
    if (read.machine().isPresent()) {
      moved();
    }
  }

  void unread(NodeEvent.InterfaceUnread unread, RandomGenerator random) {
    if (interfaces.failures() == 0) {
      effects.add(new NodeEffect.InterfaceUnknown(unread.ipConfiguration(), unread.failure()));
    }
    interfaces = interfaces.failed(unread.ipConfiguration(), now, random);
  }

  void stop() {
    stopped = true;
    pacing = pacing.none();
    preemptions.stop();
  }
}
