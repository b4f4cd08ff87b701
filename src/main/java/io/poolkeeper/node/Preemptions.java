package io.poolkeeper.node;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashPMap;
import org.pcollections.TreePVector;

/** The nodes that a preemption was announced for, during one decision, and their patches. */
final class Preemptions {
  /** More notices at once than there are spot nodes in most clusters. */
  static final int MOST_HELD = 1_000;

  /** An event that waits until the nodes are known and this replica leads. */
  record Held(NodeEvent.Preempted event, Instant since) {}

  private final NodeLimits limits;
  private final Instant now;
  private final List<NodeEffect> effects;
  private HashPMap<NodeKey, SpotNode> spots;
  private TreePVector<Held> held;
  private HashPMap<NodeKey, String> ignored;

  /** Patches are added to the effects. */
  Preemptions(NodeLimits limits, NodeState state, Instant now, List<NodeEffect> effects) {
    this.limits = limits;
    spots = state.spots();
    held = state.held();
    ignored = state.ignored();
    this.now = now;
    this.effects = effects;
  }

  HashPMap<NodeKey, SpotNode> spots() {
    return spots;
  }

  TreePVector<Held> held() {
    return held;
  }

  HashPMap<NodeKey, String> ignored() {
    return ignored;
  }

  private boolean enabled() {
    return limits.enabled() && limits.spot();
  }

  /** A node as it is now. Another one under its name begins clean. */
  void node(NodeKey key, Optional<NodeView> after) {
    SpotNode spot = spots.get(key);
    if (spot != null && after.filter(view -> view.uid().equals(spot.uid())).isEmpty()) {
      spots = spots.minus(key);
    }
    if (after.isEmpty()) {
      ignored = ignored.minus(key);
    }
    after.ifPresent(
        view ->
            view.preemptions()
                .forEach(
                    message ->
                        Notice.ofCondition(message).ifPresent(notice -> notice(view, notice))));
  }

  /** An event is kept until the nodes are known. */
  void hold(NodeEvent.Preempted event) {
    TreePVector<Held> room = held.size() < MOST_HELD ? held : held.minus(0);
    held = enabled() ? room.plus(new Held(event, now)) : held;
  }

  /** The nodes are known: the events that were kept, as old as they are by now. */
  List<NodeEvent.Preempted> release() {
    List<Held> waiting = held;
    held = TreePVector.empty();
    return waiting.stream()
        .map(one -> one.event().later(Duration.between(one.since(), now)))
        .toList();
  }

  /**
   * An event counts for the node that exists now: an older node-problem-detector names a node by
   * its name, and then only its time shows which one.
   */
  void preempted(NodeEvent.Preempted event, @Nullable NodeView node) {
    if (node == null
        || !enabled()
        || event.age().compareTo(NodeLimits.OLDEST_NOTICE) > 0
        || event.at().isBefore(node.created())) {
      return;
    }
    boolean nameless = event.uid().isEmpty() || event.uid().equals(event.node().name());
    if (nameless || event.uid().equals(node.uid())) {
      Notice.ofEvent(event.message(), limits.eventMessages())
          .ifPresentOrElse(notice -> notice(node, notice), () -> ignore(node, event.message()));
    }
  }

  private void ignore(NodeView node, String message) {
    boolean known = node.uid().equals(ignored.get(node.key()));
    ignored = ignored.plus(node.key(), node.uid());
    effects.add(new NodeEffect.EventIgnored(node.key(), message, !known));
  }

  private void notice(NodeView node, Notice notice) {
    if (!enabled()) {
      return;
    }
    SpotNode before = spots.getOrDefault(node.key(), SpotNode.of(node.uid()));
    SpotNode after =
        Signals.ignored(node)
            ? before.ignored()
            : before.heard(notice, HandledPreemptions.of(node.handled()), now);
    if (!after.equals(before)) {
      spots = spots.plus(node.key(), after);
    }
  }

  void patch() {
    spots.entrySet().stream()
        .filter(spot -> spot.getValue().ready(now))
        .sorted(Map.Entry.comparingByKey())
        .forEach(spot -> patch(spot.getKey(), spot.getValue()));
  }

  private void patch(NodeKey node, SpotNode spot) {
    SpotNode.Want want = spot.next();
    spots = spots.plus(node, spot.patching());
    effects.add(new NodeEffect.Patch(node, spot.uid(), want.ids(), want.taint()));
  }

  void patched(NodeEvent.Patched patched, @Nullable NodeView node, RandomGenerator random) {
    SpotNode spot = spots.get(patched.node());
    if (spot == null || !spot.uid().equals(patched.uid()) || spot.underWay().isEmpty()) {
      return;
    }
    SpotNode after =
        switch (patched.result()) {
          case DONE, GONE -> spot.patched(now);
          case CONFLICT, FAILED -> spot.failed(now, random);
        };
    boolean ignored = node != null && Signals.ignored(node);
    spots = spots.plus(patched.node(), ignored ? after.ignored() : after);
  }

  /** The process ends: nothing is patched any more. */
  void stop() {
    spots = spots.minusAll(spots.keySet());
  }
}
