package io.poolkeeper.node;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
 * @param ignored the UIDs of the nodes of which an ignored event was logged; none but of nodes that
 *     exist
 */
record Preemptions(
    HashPMap<NodeKey, SpotNode> spots, TreePVector<Held> held, HashPMap<NodeKey, String> ignored) {
  static final Preemptions NONE =
      new Preemptions(HashTreePMap.empty(), TreePVector.empty(), HashTreePMap.empty());

  /** More notices at once than most clusters have spot nodes. */
  private static final int MOST_HELD = 1_000;

  /** An event that waits until the nodes are known and this replica leads. */
  record Held(NodeEvent.Preempted event, Instant since) {}

  private Preemptions with(NodeKey node, SpotNode spot) {
    return new Preemptions(spots.plus(node, spot), held, ignored);
  }

  /** A node as it is now. Another node of the same name begins clean. */
  Preemptions node(NodeKey key, Optional<NodeView> after, Instant now) {
    SpotNode spot = spots.get(key);
    boolean same = spot != null && after.filter(view -> view.uid().equals(spot.uid())).isPresent();
    Preemptions next =
        new Preemptions(
            same ? spots : spots.minus(key), held, after.isEmpty() ? ignored.minus(key) : ignored);
    for (String message : after.map(NodeView::preemptions).orElse(List.of())) {
      Optional<Notice> notice = Notice.ofCondition(message);
      next = notice.isPresent() ? next.noticed(after.orElseThrow(), notice.get(), now) : next;
    }
    return next;
  }

  /** Keeps an event until the nodes are known; the oldest is dropped if there are too many. */
  Preemptions holding(NodeEvent.Preempted event, Instant now) {
    TreePVector<Held> room = held.size() < MOST_HELD ? held : held.minus(0);
    return new Preemptions(spots, room.plus(new Held(event, now)), ignored);
  }

  /** The kept events, with their age of now. */
  List<NodeEvent.Preempted> held(Instant now) {
    return held.stream().map(one -> one.event().later(Duration.between(one.since(), now))).toList();
  }

  Preemptions released() {
    return new Preemptions(spots, TreePVector.empty(), ignored);
  }

  /**
   * An event counts for the node that exists now. An older node-problem-detector does not send the
   * node's UID, and then only the event's time shows which node it means.
   */
  Preemptions preempted(
      NodeEvent.Preempted event,
      @Nullable NodeView node,
      List<String> announcing,
      Instant now,
      List<NodeEffect> effects) {
    boolean nameless = event.uid().isEmpty() || event.uid().equals(event.node().name());
    if (node == null
        || event.age().compareTo(NodeLimits.OLDEST_NOTICE) > 0
        || event.at().isBefore(node.created())
        || !(nameless || event.uid().equals(node.uid()))) {
      return this;
    }
    Optional<Notice> notice = Notice.ofEvent(event.message(), announcing);
    if (notice.isPresent()) {
      return noticed(node, notice.get(), now);
    }
    boolean logged = node.uid().equals(ignored.get(node.key()));
    effects.add(new NodeEffect.EventIgnored(node.key(), event.message(), !logged));
    return new Preemptions(spots, held, ignored.plus(node.key(), node.uid()));
  }

  private Preemptions noticed(NodeView node, Notice notice, Instant now) {
    SpotNode before = spots.getOrDefault(node.key(), SpotNode.of(node.uid()));
    SpotNode after =
        Signals.ignored(node)
            ? before.ignored()
            : before.heard(notice, HandledPreemptions.of(node.handled()), now);
    return after.equals(before) ? this : with(node.key(), after);
  }

  /** Begins all patches that are due. */
  Preemptions patching(Instant now, List<NodeEffect> effects) {
    Preemptions next = this;
    List<Map.Entry<NodeKey, SpotNode>> ready =
        spots.entrySet().stream()
            .filter(spot -> spot.getValue().ready(now))
            .sorted(Map.Entry.comparingByKey())
            .toList();
    for (Map.Entry<NodeKey, SpotNode> one : ready) {
      SpotNode spot = one.getValue();
      SpotNode.Want want = spot.next();
      effects.add(new NodeEffect.Patch(one.getKey(), spot.uid(), want.ids(), want.taint()));
      next = next.with(one.getKey(), spot.patching());
    }
    return next;
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
    boolean leftAlone = node != null && Signals.ignored(node);
    return with(patched.node(), leftAlone ? after.ignored() : after);
  }

  /** The process ends: nothing is patched any more. */
  Preemptions stopped() {
    return new Preemptions(HashTreePMap.empty(), held, ignored);
  }

  /** The times of patches. */
  Stream<Instant> wakeAt() {
    return spots.values().stream().flatMap(spot -> spot.wakeAt().stream());
  }
}
