package io.poolkeeper.pool;

import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * How far apart a pool's writes are (architecture, Invariants). A change is quiet if it came an
 * interval or more after the last write. A quiet change is written after the window, and the next
 * write may follow after the shortest spacing. Every further write of a fresh change doubles the
 * spacing, up to the interval. A failed read counts as a write; a write of admin states alone does
 * not.
 *
 * @param end when the outcome of the last write was known, or it was given up; monotonic
 * @param doublings how often the spacing has doubled since a quiet change was written
 */
record Spacing(Optional<Instant> end, int doublings) {
  static final Spacing NONE = new Spacing(Optional.empty(), 0);

  /** After a write that took these changes. One without a fresh change moves the end only. */
  Spacing wrote(Phase.Attempt attempt, Instant now, PoolLimits limits) {
    Optional<Instant> came =
        attempt.operations().stream()
            .filter(operation -> !operation.retried())
            .map(Operation::queuedAt)
            .min(Comparator.naturalOrder());
    boolean quiet = came.isPresent() && earlyUntil(came.get(), limits).isEmpty();
    boolean longest = limits.spacing(doublings).equals(limits.interval());
    int next = came.isEmpty() || longest ? doublings : doublings + 1;
    return new Spacing(Optional.of(now), quiet ? 0 : next);
  }

  /** When the next write may follow; empty if nothing was written. */
  Optional<Instant> next(PoolLimits limits) {
    return end.map(ended -> ended.plus(limits.spacing(doublings)));
  }

  /** When a change or repair of this moment may be written. */
  Instant due(Instant now, PoolLimits limits) {
    Instant earliest = now.plus(limits.window());
    if (earlyUntil(now, limits).isEmpty()) {
      return limits.leadingEdge() ? earliest : now.plus(limits.interval());
    }
    return next(limits).filter(next -> next.isAfter(earliest)).orElse(earliest);
  }

  /** Until when a fresh change of that time is early; empty if it is not. */
  Optional<Instant> earlyUntil(Instant time, PoolLimits limits) {
    return end.map(ended -> ended.plus(limits.interval())).filter(until -> until.isAfter(time));
  }
}
