package io.poolkeeper.pool;

import io.poolkeeper.pool.Phase.Still;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * What a pool does next by itself: rest, gather, stay parked, or wait for its own repair. A pure
 * function of what there is to do. An attempt under way is left alone; the phase that a drain has
 * interrupted is scheduled as if there were no drain.
 */
final class PoolSchedule {
  /** The shortest time between two tries of a failed pool that were asked for by a touch. */
  private static final Duration TOUCH = Duration.ofMinutes(1);

  private PoolSchedule() {}

  static PoolState of(PoolLimits limits, PoolState state, Instant now, RandomGenerator random) {
    PoolState next = state.withRepair(state.queue().repair() || state.leaves());
    return next.phase()
        .still()
        .map(still -> next.still(next(limits, next, still, now, random)))
        .orElse(state);
  }

  private static Still next(
      PoolLimits limits, PoolState state, Still still, Instant now, RandomGenerator random) {
    // Leftovers of a deleted binding have no change, and are tried again like a repair.
    if (state.queue().isEmpty() || (state.failing().isPresent() && state.leaves())) {
      return rest(limits, state, still, now, random);
    }
    Optional<Instant> parkedUntil = state.queue().parkedUntil(now);
    if (parkedUntil.isEmpty()) {
      Instant due = joined(still, now).orElseGet(() -> changeDue(limits, state, now));
      return state
          .braked(now)
          .filter(until -> !due.isAfter(until))
          .<Still>map(still::brake)
          .orElseGet(() -> still.gather(due));
    }
    boolean already =
        still instanceof Phase.Parked parked && parked.until().equals(parkedUntil.get());
    return already ? still : still.park(now, parkedUntil.get());
  }

  /**
   * How soon a pool is written: at the time that is asked for, but no write before its spacing
   * allows it, and no repair before ARM takes calls again. A retry has a time of its own.
   */
  static Instant due(PoolLimits limits, PoolState state, Instant at) {
    Optional<Instant> retryAfter =
        state.failing().filter(any -> !state.queue().fresh()).flatMap(f -> f.last().retryAfter());
    return state
        .queue()
        .retryDue()
        .orElseGet(
            () ->
                Stream.of(state.history().spacing().next(limits), retryAfter)
                    .flatMap(Optional::stream)
                    .reduce(at, (one, other) -> one.isAfter(other) ? one : other));
  }

  /** A clean pool of a deleted binding is not read before a read can prove it clean. */
  private static Instant changeDue(PoolLimits limits, PoolState state, Instant now) {
    Instant at = due(limits, state, state.history().spacing().due(now, limits));
    return state.desired().leaving().filter(from -> from.isAfter(at) && state.clean()).orElse(at);
  }

  /** A change joins others that gather, or that were parked until now. */
  private static Optional<Instant> joined(Still still, Instant now) {
    return switch (still) {
      case Phase.Gathering gathering -> Optional.of(gathering.due());
      case Phase.Parked parked -> Optional.of(parked.until()).filter(until -> !until.isAfter(now));
      case Phase.Braked b -> Optional.empty();
      case Phase.Idle i -> Optional.empty();
      case Phase.Failed f -> Optional.empty();
      case Phase.Postponed p -> Optional.empty();
    };
  }

  private static Still rest(
      PoolLimits limits, PoolState state, Still still, Instant now, RandomGenerator random) {
    if (state.failing().isEmpty()) {
      return still instanceof Phase.Postponed && !state.desired().unowned() ? still : still.idle();
    }
    if (still instanceof Phase.Failed failed) {
      return failed;
    }
    Failing failing = state.failing().get();
    Duration delay =
        failing.failures() > 0 ? failing.delay() : limits.repair(1, Duration.ZERO, random);
    return still.fail(due(limits, state, now.plus(delay)));
  }

  /**
   * ARM has accepted a write of another pool that it had refused before, so this pool's delays
   * begin anew at the shortest, counted from its last failure. If the pool fails again, the cause
   * is its own, and the next recovery expedites it half as much.
   */
  static PoolState recovered(
      PoolLimits limits, PoolState state, Instant now, RandomGenerator random) {
    Instant since = state.history().freshness().settledAt().orElse(now);
    int expedited = state.failing().map(Failing::expedited).orElse(0);
    Instant anew = since.plus(limits.expedited(expedited + 1, random));
    return expedited(limits, state, anew.isAfter(now) ? anew : now, Failing::expeditedOnce);
  }

  /**
   * Its Service or a slice was touched without a change. The pool is tried at once, but at most
   * once a minute for that reason: objects may be touched all the time.
   */
  static PoolState touched(PoolLimits limits, PoolState state, Instant now) {
    Instant at =
        state
            .failing()
            .flatMap(Failing::touched)
            .map(last -> last.plus(TOUCH))
            .filter(next -> next.isAfter(now))
            .orElse(now);
    return expedited(limits, state, at, failing -> failing.touchedAt(due(limits, state, at)));
  }

  private static PoolState expedited(
      PoolLimits limits, PoolState state, Instant at, UnaryOperator<Failing> noted) {
    if (!(state.phase().still().orElse(null) instanceof Phase.Failed failed)
        || state.failing().isEmpty()) {
      return state;
    }
    Instant earliest = due(limits, state, at);
    return earliest.isBefore(failed.repairAt())
        ? state.with(noted.apply(state.failing().get())).still(failed.fail(earliest))
        : state;
  }
}
