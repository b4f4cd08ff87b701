package io.poolkeeper.node;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.node.PoolsSeen.Seen;
import io.poolkeeper.pool.AdminReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.pcollections.TreePMap;

/**
 * How far pools have followed the signals of nodes. A node's transition ends when a listing has
 * shown all pools, every pool has reported the transition's version or a later one, and no pool
 * still has to write the node's state. A pool that the listing could not show counts only if the
 * node was wrong there. People hear of ends and failures. A report makes the transitions of its own
 * nodes be looked at; the last one of a version, all transitions.
 *
 * @param transitions one for each node that leaves or returns
 */
record SignalProgress(PoolsSeen seen, TreePMap<NodeKey, Transition> transitions) {
  static final SignalProgress NONE = new SignalProgress(PoolsSeen.NONE, TreePMap.empty());

  private SignalProgress with(NodeKey node, Transition transition) {
    return new SignalProgress(seen, transitions.plus(node, transition));
  }

  /** A node that was deleted, replaced or is to be left alone has no transition. */
  SignalProgress without(NodeKey node) {
    return new SignalProgress(seen, transitions.minus(node));
  }

  /**
   * The transitions that begin with a snapshot.
   *
   * @param since when nodes first returned after the last one
   */
  SignalProgress begun(
      OutOfService last, OutOfService next, Map<NodeKey, NodeView> nodes, Instant since) {
    SignalProgress begun = this;
    for (Map.Entry<NodeKey, Leaving> one : next.leaving().entrySet()) {
      begun = begun.leaves(one.getKey(), one.getValue(), next.version());
    }
    for (Map.Entry<NodeKey, Leaving> one : last.leaving().entrySet()) {
      NodeView view = nodes.get(one.getKey());
      if (!next.leaving().containsKey(one.getKey())) {
        String uid = one.getValue().uid();
        boolean same = view != null && view.uid().equals(uid) && !Signals.ignored(view);
        Transition returns = Transition.of(uid, Set.of(), next.version(), Optional.of(since));
        begun = same ? begun.with(one.getKey(), returns) : begun.without(one.getKey());
      }
    }
    return begun.live(next.live(), next.version());
  }

  /** A node leaves. When its signal came is unknown for nodes of the first snapshot. */
  private SignalProgress leaves(NodeKey node, Leaving why, long version) {
    Transition before = transitions.get(node);
    Optional<Instant> since = Optional.of(why.since()).filter(any -> version > 1);
    return before != null && before.uid().equals(why.uid()) && before.down()
        ? this
        : with(node, Transition.of(why.uid(), why.reasons(), version, since));
  }

  /**
   * While the watch of nodes is lost, pools set no entry back, so their reports prove nothing about
   * nodes that are in service again.
   */
  private SignalProgress live(boolean live, long version) {
    SignalProgress next = this;
    for (Map.Entry<NodeKey, Transition> one : transitions.entrySet()) {
      if (!one.getValue().down()) {
        next = next.with(one.getKey(), one.getValue().live(live, version));
      }
    }
    return next;
  }

  /** A pool has an actor, maybe a new one of a known pool, which knows nothing yet. */
  SignalProgress appeared(PoolId pool, Instant now, List<NodeEffect> effects) {
    return change(seen.with(pool, Seen.NOTHING), seen.nodes(pool), now, effects);
  }

  SignalProgress gone(PoolId pool, Instant now, List<NodeEffect> effects) {
    return change(seen.without(pool), seen.nodes(pool), now, effects);
  }

  SignalProgress listed(NodeEvent.Listed listed, Instant now, List<NodeEffect> effects) {
    Set<NodeKey> affected = new HashSet<>();
    seen.listed().unseen().values().forEach(affected::addAll);
    return change(seen.listed(listed), affected, now, effects);
  }

  /** A pool has reported. A report of a forgotten pool is ignored. */
  SignalProgress reported(
      PoolId pool,
      AdminReport report,
      Map<NodeKey, NodeView> nodes,
      Instant now,
      List<NodeEffect> effects) {
    if (!seen.has(pool)) {
      return this;
    }
    Seen before = seen.of(pool);
    SignalProgress next =
        before.version() == 0 && report.version() > 0 ? returning(report, nodes) : this;
    for (NodeKey node : new TreeSet<>(report.pending())) {
      next = next.pending(node, pool, report.failure(), effects);
    }
    Set<NodeKey> affected = new HashSet<>(report.held());
    affected.removeAll(before.held());
    if (!affected.isEmpty()) {
      effects.add(new NodeEffect.Held(pool, affected));
    }
    affected.addAll(seen.nodes(pool));
    Seen after = new Seen(report.version(), report.pending(), report.held());
    return next.change(seen.with(pool, after), affected, now, effects);
  }

  /**
   * What a pool's first report of a level has to set back: the signal went while another replica
   * led.
   */
  private SignalProgress returning(AdminReport report, Map<NodeKey, NodeView> nodes) {
    SignalProgress next = this;
    for (NodeKey node : report.pending()) {
      NodeView view = nodes.get(node);
      if (view != null && !Signals.ignored(view) && !transitions.containsKey(node)) {
        long version = report.version();
        next = next.with(node, Transition.of(view.uid(), Set.of(), version, Optional.empty()));
      }
    }
    return next;
  }

  private SignalProgress pending(
      NodeKey node, PoolId pool, Optional<ArmFailure> failure, List<NodeEffect> effects) {
    if (!transitions.containsKey(node)) {
      return this;
    }
    Transition pending = transitions.get(node).pending();
    Optional<ArmFailure> news = failure.filter(pending::warnsOf);
    news.map(of -> NodeEventTexts.failed(node, pending.uid(), pending.down(), pool, of))
        .map(NodeEffect.Emit::new)
        .ifPresent(effects::add);
    return with(node, news.map(pending::warned).orElse(pending));
  }

  private SignalProgress change(
      PoolsSeen next, Set<NodeKey> affected, Instant now, List<NodeEffect> effects) {
    boolean further = next.complete() > seen.complete();
    SignalProgress changed = new SignalProgress(next, transitions);
    for (NodeKey node : new TreeSet<>(further ? transitions.keySet() : affected)) {
      changed = changed.settle(node, now, effects);
    }
    return changed;
  }

  private SignalProgress settle(NodeKey node, Instant now, List<NodeEffect> effects) {
    Transition transition = transitions.get(node);
    boolean held = seen.held(node);
    if (transition == null
        || transition.hasEnded(held)
        || transition.version() > seen.complete()
        || seen.pending(node)
        || seen.unreported(node, transition.version()) > 0) {
      return this;
    }
    if (transition.reported()) {
      effects.add(new NodeEffect.Emit(ending(node, transition, held)));
    }
    transition
        .since()
        // Nobody knows how long it takes in a group that cannot be read.
        .filter(since -> !transition.done() && seen.listed().unread().isEmpty())
        .map(since -> Duration.between(since, now))
        .map(took -> new NodeEffect.Propagated(node, transition.down(), took))
        .ifPresent(effects::add);
    return transition.down() ? with(node, transition.ended(held)) : without(node);
  }

  private ObjectEvent ending(NodeKey node, Transition transition, boolean held) {
    if (!transition.down()) {
      return NodeEventTexts.none(node, transition.uid(), seen.listed().unread());
    }
    return held
        ? NodeEventTexts.held(
            node, transition.uid(), seen.where(pool -> pool.held().contains(node)))
        : NodeEventTexts.down(node, transition.uid(), transition.reasons(), seen.listed().unread());
  }
}
