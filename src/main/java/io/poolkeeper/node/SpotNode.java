package io.poolkeeper.node;

import io.poolkeeper.model.NodeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A node with an announced preemption. At most one patch of it is in flight.
 *
 * @param handled what this process has recorded on the node
 * @param next what the next patch is to record
 * @param underWay what the patch in flight records
 * @param failures of patches in a row
 * @param due when the next patch is sent; empty if there is none
 * @param confirmed whether a condition of the node announces a preemption, too
 * @param waits whether the patch waits for a place among the nodes in {@link Unconfirmed}
 */
record SpotNode(
    String uid,
    HandledPreemptions handled,
    Want next,
    Optional<Want> underWay,
    int failures,
    Optional<Instant> due,
    boolean confirmed,
    boolean waits) {
  /** Ids to record; {@code taint} if the node is to be tainted for one of them. */
  record Want(List<String> ids, boolean taint) {
    static final Want NONE = new Want(List.of(), false);

    Want and(Want more) {
      List<String> both = new ArrayList<>(ids);
      both.addAll(more.ids);
      return new Want(List.copyOf(both), taint || more.taint);
    }
  }

  static SpotNode of(String uid) {
    return new SpotNode(
        uid,
        new HandledPreemptions(List.of()),
        Want.NONE,
        Optional.empty(),
        0,
        Optional.empty(),
        false,
        false);
  }

  /**
   * Plans what to record of a notice, which may have come before. A notice without ids is that of
   * the last preemption, if there was one.
   *
   * @param annotated the preemptions in the annotation of the node
   */
  SpotNode noticed(Notice notice, HandledPreemptions annotated, Instant now) {
    List<String> known =
        Stream.of(annotated.ids(), handled.ids(), next.ids, underWay.orElse(Want.NONE).ids)
            .flatMap(List::stream)
            .toList();
    List<String> ids = notice.ids().isEmpty() ? List.of(HandledPreemptions.STARTED) : notice.ids();
    List<String> missing = ids.stream().filter(id -> !known.contains(id)).toList();
    boolean repeatsLast = notice.ids().isEmpty() && !known.isEmpty();
    if (missing.isEmpty() || repeatsLast) {
      return this;
    }
    boolean sameAsKnown = missing.size() < ids.size();
    Want wanted = next.and(new Want(missing, !sameAsKnown));
    Optional<Instant> dueAt = due.or(() -> Optional.of(now));
    return new SpotNode(uid, handled, wanted, underWay, failures, dueAt, confirmed, waits);
  }

  boolean ready(Instant now) {
    return !waits
        && underWay.isEmpty()
        && !next.ids.isEmpty()
        && due.filter(at -> !at.isAfter(now)).isPresent();
  }

  /** When a notice that has waited for others is not believed any more. */
  Instant staleAt() {
    return due.orElseThrow().plus(NodeLimits.OLDEST_NOTICE);
  }

  SpotNode patching() {
    return new SpotNode(
        uid, handled, Want.NONE, Optional.of(next), failures, Optional.empty(), confirmed, false);
  }

  SpotNode patched(Instant now) {
    HandledPreemptions recorded = handled.with(underWay.orElse(Want.NONE).ids);
    Optional<Instant> at = next.ids.isEmpty() ? Optional.empty() : Optional.of(now);
    return new SpotNode(uid, recorded, next, Optional.empty(), 0, at, confirmed, false);
  }

  /** The patch failed, and is repeated later. */
  SpotNode failed(Instant now, RandomGenerator random) {
    Want again = underWay.orElse(Want.NONE).and(next);
    Instant at = now.plus(NodeLimits.PATCH.delay(failures + 1, random));
    return new SpotNode(
        uid, handled, again, Optional.empty(), failures + 1, Optional.of(at), confirmed, false);
  }

  /** The node is to be left alone: no further patch follows. */
  SpotNode ignored() {
    return new SpotNode(
        uid, handled, Want.NONE, underWay, failures, Optional.empty(), confirmed, false);
  }

  /** The node as it is now; one that is to be left alone is not patched any more. */
  SpotNode seen(NodeView node) {
    boolean confirms = Notice.inConditionOf(node);
    SpotNode seen =
        new SpotNode(uid, handled, next, underWay, failures, due, confirms, waits && !confirms);
    return Signals.ignored(node) ? seen.ignored() : seen;
  }

  SpotNode withWaits(boolean nowWaits) {
    return new SpotNode(uid, handled, next, underWay, failures, due, confirmed, nowWaits);
  }

  /** Whether a patch that is in flight, or will be sent, taints the node. */
  boolean tainting() {
    return next.taint || underWay.orElse(Want.NONE).taint;
  }

  /** When the next patch is sent, if none is in flight. */
  Optional<Instant> wakeAt() {
    return !waits && underWay.isEmpty() && !next.ids.isEmpty() ? due : Optional.empty();
  }
}
