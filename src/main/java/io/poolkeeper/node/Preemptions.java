package io.poolkeeper.node;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.node.SpotLimits.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePVector;

/**
 * The nodes with an announced preemption, and their patches.
 *
 * @param held events that came on standby or while the nodes were not known; at most {@link
 *     #MOST_HELD}
 * @param ignored the UIDs of the nodes of which an ignored event was logged; only of nodes that
 *     exist
 */
record Preemptions(
    HashPMap<NodeKey, SpotNode> spots,
    Unconfirmed unconfirmed,
    TreePVector<Held> held,
    HashPMap<Ignored, String> ignored) {
  static final Preemptions NONE =
      new Preemptions(
          HashTreePMap.empty(), Unconfirmed.NONE, TreePVector.empty(), HashTreePMap.empty());

  /** More notices at once than most clusters have spot nodes. */
  private static final int MOST_HELD = 1_000;

  /** An event that waits until the nodes are known and this replica leads. */
  record Held(NodeEvent.Preempted event, Instant since) {
    private boolean isAbout(NodeEvent.Preempted other) {
      return event.node().equals(other.node()) && event.message().equals(other.message());
    }
  }

  record Ignored(NodeKey node, Refusal why) {}

  private Preemptions with(HashPMap<NodeKey, SpotNode> next) {
    return new Preemptions(next, unconfirmed, held, ignored);
  }

  private Preemptions with(NodeKey node, SpotNode spot) {
    return with(spots.plus(node, spot));
  }

  private Preemptions with(Unconfirmed next) {
    return new Preemptions(spots, next, held, ignored);
  }

  /** A node changed, appeared or was deleted. Another node of the same name begins clean. */
  Preemptions nodeChanged(
      NodeKey key, Optional<NodeView> before, Optional<NodeView> after, Instant now) {
    Optional<SpotNode> last = Optional.ofNullable(spots.get(key));
    Optional<SpotNode> spot =
        after.flatMap(
            view ->
                last.filter(known -> known.uid().equals(view.uid())).map(old -> old.seen(view)));
    boolean waits = spot.filter(SpotNode::waits).isPresent();
    Unconfirmed left =
        last.isEmpty() || waits ? unconfirmed : unconfirmed.waitsNoMore(key, last.get());
    Preemptions next =
        with(spot.map(known -> spots.plus(key, known)).orElseGet(() -> spots.minus(key)))
            .with(left.nodeChanged(key, before, after, spot));
    for (String message : after.map(NodeView::preemptions).orElse(List.of())) {
      Optional<Notice> notice = Notice.ofCondition(message);
      next = notice.isPresent() ? next.noticed(after.orElseThrow(), notice.get(), now) : next;
    }
    if (after.isPresent()) {
      return next;
    }
    List<Ignored> gone = Stream.of(Refusal.values()).map(why -> new Ignored(key, why)).toList();
    return new Preemptions(next.spots, next.unconfirmed, next.held, next.ignored.minusAll(gone));
  }

  /**
   * Keeps an event until the nodes are known, the same message of a node once; the oldest is
   * dropped if there are too many.
   */
  Preemptions holding(NodeEvent.Preempted event, Instant now) {
    List<Held> same = held.stream().filter(kept -> kept.isAbout(event)).toList();
    TreePVector<Held> others = held.minusAll(same);
    TreePVector<Held> room = others.size() < MOST_HELD ? others : others.minus(0);
    return new Preemptions(spots, unconfirmed, room.plus(new Held(event, now)), ignored);
  }

  /** The kept events, with their age of now. */
  List<NodeEvent.Preempted> held(Instant now) {
    return held.stream()
        .map(kept -> kept.event().later(Duration.between(kept.since(), now)))
        .toList();
  }

  Preemptions released() {
    return new Preemptions(spots, unconfirmed, TreePVector.empty(), ignored);
  }

  /**
   * An event counts for the node that exists now. An older node-problem-detector does not send the
   * node's UID, and then only the event's time shows which node it means.
   */
  Preemptions preempted(
      NodeEvent.Preempted event,
      @Nullable NodeView node,
      SpotLimits limits,
      Instant now,
      List<NodeEffect> effects) {
    boolean nameless = event.uid().isEmpty() || event.uid().equals(event.node().name());
    if (node == null
        || event.age().compareTo(NodeLimits.OLDEST_NOTICE) > 0
        || event.at().isBefore(node.created())
        || !(nameless || event.uid().equals(node.uid()))) {
      return this;
    }
    Optional<Refusal> refusal = limits.refusal(event);
    Optional<Notice> notice =
        refusal.isPresent()
            ? Optional.empty()
            : Notice.ofEvent(event.message(), limits.eventMessages());
    if (notice.isPresent()) {
      return noticed(node, notice.get(), now);
    }
    Ignored why = new Ignored(node.key(), refusal.orElse(Refusal.MESSAGE));
    boolean logged = node.uid().equals(ignored.get(why));
    effects.add(new NodeEffect.EventIgnored(node.key(), why.why(), event, !logged));
    return new Preemptions(spots, unconfirmed, held, ignored.plus(why, node.uid()));
  }

  private Preemptions noticed(NodeView node, Notice notice, Instant now) {
    SpotNode before = spots.getOrDefault(node.key(), SpotNode.of(node.uid())).seen(node);
    SpotNode after =
        Signals.ignored(node)
            ? before
            : before.noticed(notice, HandledPreemptions.of(node.handled()), now);
    return after.equals(before) ? this : with(node.key(), after);
  }

  /**
   * Begins all patches that are due, the oldest first. Those that wait for a place are looked at
   * only if there is one, or if they have waited for too long.
   *
   * @param places how many nodes may be tainted at once for what only events announce
   */
  Preemptions patching(int places, Instant now, List<NodeEffect> effects) {
    Preemptions next = this;
    for (var first = unconfirmed.first(); first.isPresent(); first = next.unconfirmed.first()) {
      NodeKey key = first.get().node();
      SpotNode spot = Objects.requireNonNull(next.spots.get(key));
      if (spot.staleAt().isAfter(now) && next.unconfirmed.isFull(places)) {
        break;
      }
      next = next.with(next.unconfirmed.waitsNoMore(key, spot));
      next =
          spot.staleAt().isAfter(now)
              ? next.begin(key, spot.withWaits(false), effects)
              : next.with(key, spot.ignored());
    }
    for (Map.Entry<NodeKey, SpotNode> entry : ready(now)) {
      NodeKey key = entry.getKey();
      SpotNode spot = entry.getValue();
      if (next.unconfirmed.needsPlace(key, spot) && next.unconfirmed.isFull(places)) {
        next = next.with(key, spot.withWaits(true)).with(next.unconfirmed.waiting(key, spot));
        effects.add(new NodeEffect.PreemptionWaits(key, false));
      } else {
        next = next.begin(key, spot, effects);
      }
    }
    return next;
  }

  private List<Map.Entry<NodeKey, SpotNode>> ready(Instant now) {
    return spots.entrySet().stream()
        .filter(spot -> spot.getValue().ready(now))
        .sorted(
            Map.Entry.<NodeKey, SpotNode>comparingByValue(
                    Comparator.comparing(spot -> spot.due().orElseThrow()))
                .thenComparing(Map.Entry.comparingByKey()))
        .toList();
  }

  private Preemptions begin(NodeKey key, SpotNode spot, List<NodeEffect> effects) {
    SpotNode.Want want = spot.next();
    effects.add(new NodeEffect.Patch(key, spot.uid(), want.ids(), want.taint()));
    return with(unconfirmed.patching(key, spot)).with(key, spot.patching());
  }

  Preemptions patched(
      NodeEvent.Patched patched, @Nullable NodeView node, Instant now, RandomGenerator random) {
    SpotNode spot = spots.get(patched.node());
    if (spot == null || !spot.uid().equals(patched.uid()) || spot.underWay().isEmpty()) {
      return this;
    }
    SpotNode after =
        switch (patched.result()) {
          case DONE, GONE -> spot.patched(now);
          case CONFLICT, FAILED -> spot.failed(now, random);
        };
    SpotNode next = node != null && Signals.ignored(node) ? after.ignored() : after;
    boolean holds = patched.result() == PatchResult.DONE || next.tainting();
    return with(patched.node(), next).with(unconfirmed.patched(patched.node(), holds));
  }

  /** Whether an eviction is announced whose patch is not in flight. */
  boolean announced(NodeKey node) {
    SpotNode spot = spots.get(node);
    return spot != null && spot.wakeAt().isPresent();
  }

  /** The process ends: nothing is patched any more. */
  Preemptions stopped() {
    return with(HashTreePMap.empty()).with(Unconfirmed.NONE);
  }

  /** The times of patches, and when the oldest that waits for a place has waited for too long. */
  Stream<Instant> wakeAt() {
    return Stream.concat(
        spots.values().stream().flatMap(spot -> spot.wakeAt().stream()),
        unconfirmed.first().stream().map(first -> first.since().plus(NodeLimits.OLDEST_NOTICE)));
  }
}
