package io.poolkeeper.node;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.node.Unconfirmed.Waiter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;
import org.pcollections.TreePSet;

/**
 * The nodes whose preemption is known from events alone. Anybody who may write events may forge
 * them, so only a share of all nodes is tainted for them at once (decision 22).
 *
 * <p>Invariant: neither set has a node that is gone, or that its own condition confirms.
 *
 * @param tainted the nodes that are tainted, or about to be: each takes a place
 * @param waiting the nodes that are not tainted, as all places are taken; the oldest first
 */
record Unconfirmed(MapPSet<NodeKey> tainted, TreePSet<Waiter> waiting) {
  static final Unconfirmed NONE = new Unconfirmed(HashTreePSet.empty(), TreePSet.empty());

  /** A node, and when its preemption was heard of. */
  record Waiter(Instant since, NodeKey node) implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      int bySince = since.compareTo(other.since);
      return bySince != 0 ? bySince : node.compareTo(other.node);
    }
  }

  /** A node changed: it takes a place while it is tainted, or about to be. */
  Unconfirmed nodeChanged(
      NodeKey key, Optional<NodeView> before, Optional<NodeView> after, Optional<SpotNode> spot) {
    boolean takesPlace =
        after
            .filter(view -> !Notice.inConditionOf(view))
            .filter(view -> isTainted(view) || (awaited(key, view, spot) && !lost(before, view)))
            .isPresent();
    return new Unconfirmed(takesPlace ? tainted.plus(key) : tainted.minus(key), waiting);
  }

  /** Whether Poolkeeper has tainted the node, this process or one before it. */
  private static boolean isTainted(NodeView view) {
    return Reason.SPOT_EVICTION.isIn(view.taints()) && !view.handled().isEmpty();
  }

  /** Whether its taint is still to be written, or was written and is not seen yet. */
  private boolean awaited(NodeKey key, NodeView view, Optional<SpotNode> spot) {
    if (spot.isEmpty() || !tainted.contains(key)) {
      return false;
    }
    List<String> written = spot.get().handled().ids();
    boolean seen = HandledPreemptions.of(view.handled()).containsAny(written);
    return spot.get().tainting() || (!written.isEmpty() && !seen);
  }

  /** Whether the node was tainted until now. */
  private static boolean lost(Optional<NodeView> before, NodeView after) {
    return before.filter(last -> last.uid().equals(after.uid()) && isTainted(last)).isPresent();
  }

  /** A patch that was to taint has ended; {@code holds} if the node is tainted, or will be. */
  Unconfirmed patched(NodeKey key, boolean holds) {
    return holds ? this : new Unconfirmed(tainted.minus(key), waiting);
  }

  /** Whether the node is to be tainted and needs a place for that. */
  boolean needsPlace(NodeKey key, SpotNode spot) {
    return spot.next().taint() && !spot.confirmed() && !tainted.contains(key);
  }

  boolean isFull(int places) {
    return tainted.size() >= places;
  }

  Unconfirmed patching(NodeKey key, SpotNode spot) {
    return needsPlace(key, spot) ? new Unconfirmed(tainted.plus(key), waiting) : this;
  }

  /** The one that waits longest. */
  Optional<Waiter> first() {
    return waiting.stream().findFirst();
  }

  Unconfirmed waiting(NodeKey key, SpotNode spot) {
    return new Unconfirmed(tainted, waiting.plus(new Waiter(spot.due().orElseThrow(), key)));
  }

  Unconfirmed waitsNoMore(NodeKey key, SpotNode spot) {
    return spot.waits()
        ? new Unconfirmed(tainted, waiting.minus(new Waiter(spot.due().orElseThrow(), key)))
        : this;
  }
}
