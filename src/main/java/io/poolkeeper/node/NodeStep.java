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
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/** One decision of the node watcher: a working copy of its state, and the effects. */
final class NodeStep {
  /** More notices at once than there are spot nodes in most clusters. */
  static final int MOST_HELD = 1_000;

  private final NodeLimits limits;
  private final Instant now;
  private final List<NodeEffect> effects = new ArrayList<>();
  private final Progress progress;
  private HashPMap<NodeKey, NodeView> nodes;
  private TreePMap<NodeKey, Leaving> leaving;
  private boolean live;
  private boolean moved;
  private Pacing pacing;
  private OutOfService last;
  private Interfaces interfaces;
  private HashPMap<NodeKey, SpotNode> spots;
  private TreePVector<NodeEvent.Preempted> held;
  private boolean stopped;

  NodeStep(NodeLimits limits, NodeState state, Instant now) {
    this.limits = limits;
    this.now = now;
    progress = new Progress(state.seen(), state.transitions(), now, effects);
    nodes = state.nodes();
    leaving = state.leaving();
    live = state.live();
    moved = state.moved();
    pacing = state.pacing();
    last = state.last();
    interfaces = state.interfaces();
    spots = state.spots();
    held = state.held();
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
    spots.entrySet().stream()
        .filter(spot -> spot.getValue().ready(now))
        .sorted(Map.Entry.comparingByKey())
        .forEach(spot -> patch(spot.getKey(), spot.getValue()));
    return new Decision<>(
        new NodeState(
            nodes,
            leaving,
            live,
            moved,
            pacing,
            last,
            interfaces,
            spots,
            held,
            progress.seen(),
            progress.transitions(),
            stopped),
        effects);
  }

  Progress progress() {
    return progress;
  }

  void nodes(Map<NodeKey, Optional<NodeView>> changes) {
    changes.forEach(this::node);
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
    SpotNode spot = spots.get(key);
    if (spot != null && after.filter(view -> view.uid().equals(spot.uid())).isEmpty()) {
      spots = spots.minus(key);
    }
    after.ifPresent(view -> view.preemptions().forEach(message -> notice(view, message)));
  }

  private Optional<Leaving> leaving(NodeView node, Optional<Leaving> before) {
    Set<Reason> reasons = Signals.of(node);
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
    changed();
  }

  void synced() {
    live = limits.enabled();
    if (live) {
      changed();
      List<NodeEvent.Preempted> waiting = held;
      held = TreePVector.empty();
      waiting.forEach(this::preempted);
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
    progress.transitions().keySet().stream()
        .filter(node -> !present(node))
        .toList()
        .forEach(progress::forget);
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

  private boolean present(NodeKey node) {
    NodeView view = nodes.get(node);
    Transition transition = progress.transitions().get(node);
    return view != null && transition != null && transition.uid().equals(view.uid());
  }

  /**
   * An event counts for the node that exists now: an older node-problem-detector names a node by
   * its name, and then only its time shows which one.
   */
  void preempted(NodeEvent.Preempted event) {
    if (!live) {
      TreePVector<NodeEvent.Preempted> room = held.size() < MOST_HELD ? held : held.minus(0);
      held = limits.enabled() && limits.spot() ? room.plus(event) : held;
      return;
    }
    NodeView node = nodes.get(event.node());
    if (node == null
        || event.age().compareTo(NodeLimits.OLDEST_NOTICE) > 0
        || event.at().isBefore(node.created())) {
      return;
    }
    boolean nameless = event.uid().isEmpty() || event.uid().equals(event.node().name());
    if (nameless || event.uid().equals(node.uid())) {
      notice(node, event.message());
    }
  }

  private void notice(NodeView node, String message) {
    Optional<Notice> notice = Notice.of(message);
    if (notice.isEmpty() || !limits.enabled() || !limits.spot()) {
      return;
    }
    SpotNode before = spots.getOrDefault(node.key(), SpotNode.of(node.uid()));
    SpotNode after =
        Signals.ignored(node)
            ? before.ignored()
            : before.heard(notice.get(), Handled.of(node.handled()), now);
    if (!after.equals(before)) {
      spots = spots.plus(node.key(), after);
    }
  }

  private void patch(NodeKey node, SpotNode spot) {
    SpotNode.Want want = spot.next();
    spots = spots.plus(node, spot.patching());
    effects.add(new NodeEffect.Patch(node, spot.uid(), want.ids(), want.taint()));
  }

  void patched(NodeEvent.Patched patched, RandomGenerator random) {
    SpotNode spot = spots.get(patched.node());
    if (spot == null || !spot.uid().equals(patched.uid()) || spot.underWay().isEmpty()) {
      return;
    }
    SpotNode after =
        switch (patched.result()) {
          case DONE, GONE -> spot.patched(now);
          case CONFLICT, FAILED -> spot.failed(now, random);
        };
    NodeView node = nodes.get(patched.node());
    boolean ignored = node != null && Signals.ignored(node);
    spots = spots.plus(patched.node(), ignored ? after.ignored() : after);
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
    spots = spots.minusAll(spots.keySet());
  }
}
