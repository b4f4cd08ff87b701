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
    for (Map.Entry<NodeKey, Leaving> entry : next.leaving().entrySet()) {
      begun = begun.leaves(entry.getKey(), entry.getValue(), next.version());
    }
    for (Map.Entry<NodeKey, Leaving> entry : last.leaving().entrySet()) {
      NodeKey node = entry.getKey();
      NodeView view = nodes.get(node);
      if (!next.leaving().containsKey(node)) {
        String uid = entry.getValue().uid();
        boolean stays = view != null && view.uid().equals(uid) && !Signals.ignored(view);
        Transition returns = Transition.of(uid, Set.of(), next.version(), Optional.of(since));
        begun = stays ? begun.with(node, returns) : begun.without(node);
      }
    }
    return begun.live(next.live(), next.version());
  }

  /** A node leaves. When its signal came is unknown for nodes of the first snapshot. */
  private SignalProgress leaves(NodeKey node, Leaving why, long version) {
    Transition before = transitions.get(node);
    Optional<Instant> since = version > 1 ? Optional.of(why.since()) : Optional.empty();
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
    for (Map.Entry<NodeKey, Transition> entry : transitions.entrySet()) {
      if (!entry.getValue().down()) {
        next = next.with(entry.getKey(), entry.getValue().live(live, version));
      }
    }
    return next;
  }

  /** A pool has an actor, maybe a new one of a known pool, which knows nothing yet. */
  SignalProgress appeared(PoolId pool, Instant now, List<NodeEffect> effects) {
    return withSeen(seen.with(pool, Seen.NOTHING), seen.nodes(pool), now, effects);
  }

  SignalProgress gone(PoolId pool, Instant now, List<NodeEffect> effects) {
    return withSeen(seen.without(pool), seen.nodes(pool), now, effects);
  }

  SignalProgress listed(NodeEvent.Listed listed, Instant now, List<NodeEffect> effects) {
    Set<NodeKey> affected = new HashSet<>();
    seen.listed().unseen().values().forEach(affected::addAll);
    return withSeen(seen.listed(listed), affected, now, effects);
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
    Seen before = seen.report(pool);
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
    return next.withSeen(seen.with(pool, after), affected, now, effects);
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
    if (news.isEmpty()) {
      return with(node, pending);
    }
    effects.add(
        new NodeEffect.Emit(
            NodeEventTexts.failed(node, pending.uid(), pending.down(), pool, news.get())));
    return with(node, pending.warned(news.get()));
  }

  /** Adopts what pools have reported, and looks which transitions of the affected nodes end. */
  private SignalProgress withSeen(
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
    Transition.End end = seen.held(node) ? Transition.End.HELD : Transition.End.SHOWN;
    if (transition == null
        || transition.end() == end
        || transition.version() > seen.complete()
        || seen.pending(node)
        || seen.unreported(node, transition.version()) > 0) {
      return this;
    }
    if (transition.reported()) {
      effects.add(new NodeEffect.Emit(ending(node, transition, end)));
    }
    // Nobody knows how long it takes in a group that cannot be read.
    boolean measured = !transition.done() && seen.listed().unread().isEmpty();
    if (measured && transition.since().isPresent()) {
      Duration took = Duration.between(transition.since().get(), now);
      effects.add(new NodeEffect.Propagated(node, transition.down(), took));
    }
    return transition.down() ? with(node, transition.ended(end)) : without(node);
  }

  private ObjectEvent ending(NodeKey node, Transition transition, Transition.End end) {
    if (!transition.down()) {
      return NodeEventTexts.none(node, transition.uid(), seen.listed().unread());
    }
    return end == Transition.End.HELD
        ? NodeEventTexts.held(
            node, transition.uid(), seen.poolsWhere(pool -> pool.held().contains(node)))
        : NodeEventTexts.down(node, transition.uid(), transition.reasons(), seen.listed().unread());
  }
}
