package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectEvent.Type;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.pool.Leftover.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * All entries that are wrong in a pool as it was seen last (spec 4, Detection), however the process
 * before ended. A leftover is reported to people if nothing that this process does or was sent
 * explains it. Only reports and the brake need this list; the cleanup follows from what is desired.
 *
 * @param since when each leftover was first seen; monotonic
 * @param brakedUntil until when the brake holds a removal; in the past if it held one
 * @param begun whether the first view was judged, which waits for the next event: that one says who
 *     owns the pool
 */
record Leftovers(SortedMap<Leftover, Instant> since, Optional<Instant> brakedUntil, boolean begun) {
  static final Leftovers NONE = new Leftovers(new TreeMap<>(), Optional.empty(), false);

  Leftovers {
    since = Collections.unmodifiableSortedMap(since);
  }

  /** The leftovers after an event, and reports of those that it showed for the first time. */
  static Decision<PoolState, PoolEffect> after(
      PoolLimits limits,
      PoolState before,
      PoolEvent event,
      Decision<PoolState, PoolEffect> decision,
      Instant now) {
    PoolState state = decision.state();
    Leftovers known = before.leftovers();
    boolean begins = before.observed().isPresent() && !known.begun();
    boolean same =
        state.observed().equals(before.observed())
            && state.desired().services().equals(before.desired().services())
            && state.desired().bound().equals(before.desired().bound())
            && state.desired().watchLost() == before.desired().watchLost()
            && state.drain().set().equals(before.drain().set());
    boolean unsure = state.observed().isEmpty() || state.desired().watchLost();
    if ((same && !begins) || unsure || event instanceof PoolEvent.Stop) {
      return decision;
    }
    Leftovers wrong = known.updated(limits, state, begins, now);
    Decision<PoolState, PoolEffect> noted =
        decision
            .map(next -> next.with(wrong))
            .then(new Decision<>(state.with(wrong), wrong.newHold(limits, known, state, now)));
    Set<Leftover> found = new TreeSet<>(wrong.since().keySet());
    if (begins) {
      // A desire that may have changed since this process started is this process's own work.
      boolean fresh = event instanceof PoolEvent.Desire desire && desire.fresh();
      boolean moved = state.drain().set().version() > 1;
      found.removeIf(leftover -> leftover.kind() == Kind.ADDRESS ? fresh : moved);
    } else if (unexplained(before, event)) {
      found.removeAll(known.since().keySet());
    } else {
      return noted;
    }
    return noted.then(new Decision<>(noted.state(), effects(state, found)));
  }

  private Leftovers updated(PoolLimits limits, PoolState state, boolean begins, Instant now) {
    PoolView view = state.observed().orElseThrow();
    SortedMap<Leftover, Instant> next = new TreeMap<>();
    for (Leftover leftover : Leftover.allIn(view, state.desired(), state.drain())) {
      next.put(leftover, since.getOrDefault(leftover, now));
    }
    Optional<Instant> until = state.held() ? Optional.empty() : brake(limits, state, view, now);
    return new Leftovers(next, until, begins || begun);
  }

  /** Until when removals wait that a view of the pool asks for; in the past if the wait is over. */
  Optional<Instant> brake(PoolLimits limits, PoolState state, PoolView view, Instant now) {
    return limits.brake().on()
        ? limits.brake().until(view, PoolPlan.of(view, state.desired().members()), since, now)
        : Optional.empty();
  }

  /** The report of a hold of the brake that begins; none if it was reported before. */
  private List<PoolEffect> newHold(
      PoolLimits limits, Leftovers before, PoolState state, Instant now) {
    if (brakedUntil.equals(before.brakedUntil) || brakedUntil.filter(now::isBefore).isEmpty()) {
      return List.of();
    }
    long entries = since.keySet().stream().filter(wrong -> wrong.kind() == Kind.ADDRESS).count();
    String text =
        EventTexts.removalHeld(state.observed().orElseThrow(), entries, limits.brake().delay());
    return List.of(
        new PoolEffect.Braked(
            text,
            state.desired().services().values().stream()
                .map(service -> EventTexts.removalHeld(service, text))
                .toList()));
  }

  /**
   * A pool at rest is seen by a call that began after its last attempt had ended: no write of this
   * process explains a leftover.
   */
  private static boolean unexplained(PoolState before, PoolEvent event) {
    return event instanceof PoolEvent.Observed seen
        && before
            .history()
            .freshness()
            .settledAt()
            .filter(settledAt -> !settledAt.isBefore(seen.startedAt()))
            .isEmpty()
        && before.observed().isPresent()
        && before.phase() instanceof Phase.Idle
        && before.drain().due().isEmpty();
  }

  private static List<PoolEffect> effects(PoolState state, Set<Leftover> found) {
    List<PoolEffect> effects = new ArrayList<>();
    PoolId pool = state.observed().orElseThrow().id();
    for (Kind kind : Kind.values()) {
      List<Leftover> ofKind = found.stream().filter(leftover -> leftover.kind() == kind).toList();
      if (!ofKind.isEmpty()) {
        String text = EventTexts.found(pool, kind, ofKind);
        List<ObjectEvent> events =
            about(state, ofKind)
                .map(object -> new ObjectEvent(object, Type.WARNING, EventTexts.FOUND, text))
                .toList();
        effects.add(new PoolEffect.Found(kind, ofKind.size(), text, events));
      }
    }
    return effects;
  }

  /** The Services that own the pool; if there are none, the nodes. */
  private static Stream<ObjectReference> about(PoolState state, List<Leftover> found) {
    return state.desired().unowned()
        ? found.stream()
            .flatMap(leftover -> leftover.node().stream())
            .map(node -> reference(node, state.drain().set()))
        : state.desired().services().values().stream().map(EventTexts::reference);
  }

  /** A node in service has no UID here. Its name in that place is found by kubectl, too. */
  private static ObjectReference reference(NodeKey node, OutOfService set) {
    Leaving leaving = set.leaving().get(node);
    return ObjectReference.of(node, leaving == null ? node.name() : leaving.uid());
  }
}
