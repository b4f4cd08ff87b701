package io.poolkeeper.node;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.PoolsSeen.Seen;
import io.poolkeeper.pool.AdminReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.pcollections.TreePMap;

/**
 * How far signals have got, during one decision. A transition is done when a listing has shown all
 * pools, every pool has reported its version or a later one, and none has the node to write any
 * more; then, or on a failure, people hear of it. A report costs its own nodes; all transitions are
 * looked at when the last pool has reported a version.
 */
final class SignalProgress {
  private final List<NodeEffect> effects;
  private final Instant now;
  private PoolsSeen seen;
  private TreePMap<NodeKey, Transition> transitions;

  SignalProgress(
      PoolsSeen seen,
      TreePMap<NodeKey, Transition> transitions,
      Instant now,
      List<NodeEffect> effects) {
    this.seen = seen;
    this.transitions = transitions;
    this.now = now;
    this.effects = effects;
  }

  PoolsSeen seen() {
    return seen;
  }

  TreePMap<NodeKey, Transition> transitions() {
    return transitions;
  }

  /** A node leaves, or leaves for other reasons. */
  void leaves(
      NodeKey node, String uid, Set<Reason> reasons, long version, Optional<Instant> since) {
    Transition before = transitions.get(node);
    if (before == null || !before.uid().equals(uid) || !before.down()) {
      transitions = transitions.plus(node, Transition.of(uid, reasons, version, since));
    }
  }

  void returns(NodeKey node, String uid, long version, Instant since) {
    transitions = transitions.plus(node, Transition.of(uid, Set.of(), version, Optional.of(since)));
  }

  /**
   * While the watch of nodes is lost, pools set nothing back, and their reports say nothing of
   * nodes that are in service again.
   */
  void live(boolean live, long version) {
    transitions.forEach(
        (node, transition) -> {
          if (!transition.down()) {
            transitions = transitions.plus(node, transition.live(live, version));
          }
        });
  }

  /** It is deleted, replaced or to be left alone: there is nothing to report. */
  void forget(NodeKey node) {
    transitions = transitions.minus(node);
  }

  /** Also a pool whose actor is new: it knows nothing yet. */
  void appeared(PoolId pool) {
    change(seen.with(pool, Seen.NOTHING), seen.of(pool).nodes());
  }

  void gone(PoolId pool) {
    change(seen.without(pool), seen.of(pool).nodes());
  }

  void listed(long version) {
    change(seen.listed(version), Set.of());
  }

  /** A report of a pool that is gone came too late. */
  void reported(PoolId pool, AdminReport report) {
    if (!seen.has(pool)) {
      return;
    }
    for (NodeKey node : new TreeSet<>(report.pending())) {
      Transition transition = transitions.get(node);
      if (transition != null) {
        transitions = transitions.plus(node, transition.pending());
        report.failure().ifPresent(failure -> warn(node, pool, failure));
      }
    }
    Seen before = seen.of(pool);
    Set<NodeKey> begins = new HashSet<>(report.held());
    begins.removeAll(before.held());
    if (!begins.isEmpty()) {
      effects.add(new NodeEffect.Held(pool, begins));
    }
    begins.addAll(before.nodes());
    change(seen.with(pool, new Seen(report.version(), report.pending(), report.held())), begins);
  }

  private void warn(NodeKey node, PoolId pool, ArmFailure failure) {
    Transition transition = transitions.get(node);
    if (transition != null && transition.warnsOf(failure)) {
      transitions = transitions.plus(node, transition.warned(failure));
      emit(NodeEventTexts.failed(node, transition.uid(), transition.down(), pool, failure));
    }
  }

  private void change(PoolsSeen next, Set<NodeKey> affected) {
    boolean further = next.complete() > seen.complete();
    seen = next;
    (further ? Set.copyOf(transitions.keySet()) : affected).stream().sorted().forEach(this::settle);
  }

  private void settle(NodeKey node) {
    Transition transition = transitions.get(node);
    boolean held = seen.held(node);
    if (transition == null
        || transition.hasEnded(held)
        || transition.version() > seen.complete()
        || seen.pending(node)) {
      return;
    }
    transitions =
        transition.down()
            ? transitions.plus(node, transition.ended(held))
            : transitions.minus(node);
    if (transition.reported()) {
      emit(ending(node, transition, held));
    }
    transition
        .since()
        .filter(since -> !transition.done())
        .ifPresent(since -> effects.add(new NodeEffect.Propagated(Duration.between(since, now))));
  }

  private ObjectEvent ending(NodeKey node, Transition transition, boolean held) {
    if (!transition.down()) {
      return NodeEventTexts.none(node, transition.uid());
    }
    return held
        ? NodeEventTexts.held(
            node, transition.uid(), seen.where(pool -> pool.held().contains(node)))
        : NodeEventTexts.down(node, transition.uid(), transition.reasons());
  }

  private void emit(ObjectEvent event) {
    effects.add(new NodeEffect.Emit(event));
  }
}
