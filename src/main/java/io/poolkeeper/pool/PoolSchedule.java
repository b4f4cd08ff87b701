package io.poolkeeper.pool;

import io.poolkeeper.pool.Phase.Parked;
import io.poolkeeper.pool.Phase.Quiescent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * What a pool does next by itself, after each event: rest, gather, stay parked, or wait for its own
 * repair. An attempt in flight is left alone; the phase that a drain has interrupted is scheduled
 * as if there were no drain.
 */
record PoolSchedule(PoolLimits limits, Instant now, RandomGenerator random) {
  /** The shortest time between two tries of a failed pool that were asked for by a touch. */
  private static final Duration TOUCH = Duration.ofMinutes(1);

  /** The state in the phase that follows from what there is to do. */
  PoolState scheduled(PoolState state) {
    PoolState next = state.withRepair(state.queue().repair() || state.bindingLeaves());
    Optional<Quiescent> before = next.phase().quiescent();
    return before.isPresent() ? next.withQuiescent(phase(next, before.get())) : state;
  }

  private Quiescent phase(PoolState state, Quiescent quiescent) {
    // Leftovers of a deleted binding have no change, and are tried again like a repair.
    if (state.queue().isEmpty() || (state.failing().isPresent() && state.bindingLeaves())) {
      return withoutChange(state, quiescent);
    }
    Optional<Instant> parkedUntil = state.queue().parkedUntil(now);
    if (parkedUntil.isPresent()) {
      boolean parked =
          quiescent instanceof Parked before && before.until().equals(parkedUntil.get());
      return parked ? quiescent : quiescent.park(now, parkedUntil.get());
    }
    Instant due = gatheredUntil(quiescent).orElseGet(() -> changeDue(state));
    Optional<Instant> braked = state.braked(now);
    return braked.isPresent() && !due.isAfter(braked.get())
        ? quiescent.brake(braked.get())
        : quiescent.gather(due);
  }

  /**
   * When a pool may be written that somebody wants written at a time. A retry has a time of its
   * own. Otherwise it is the latest of the wanted time, the end of the spacing, and, for a repair,
   * the time that ARM named.
   */
  static Instant writeAt(PoolLimits limits, PoolState state, Instant wanted) {
    Optional<Instant> retry = state.queue().retryDue();
    if (retry.isPresent()) {
      return retry.get();
    }
    Instant spaced = later(wanted, state.history().spacing().next(limits));
    return state.queue().fresh()
        ? spaced
        : later(spaced, state.failing().flatMap(failing -> failing.last().retryAfter()));
  }

  private static Instant later(Instant time, Optional<Instant> other) {
    return other.filter(time::isBefore).orElse(time);
  }

  /** A clean pool of a deleted binding is not read before a read can prove it clean. */
  private Instant changeDue(PoolState state) {
    Instant at = writeAt(limits, state, state.history().spacing().due(now, limits));
    return state.desired().leaving().filter(from -> from.isAfter(at) && state.clean()).orElse(at);
  }

  /** A change joins others that gather, or that were parked until now. */
  private Optional<Instant> gatheredUntil(Quiescent quiescent) {
    return switch (quiescent) {
      case Phase.Gathering gathering -> Optional.of(gathering.due());
      case Parked parked -> Optional.of(parked.until()).filter(until -> !until.isAfter(now));
      case Phase.Braked b -> Optional.empty();
      case Phase.Idle i -> Optional.empty();
      case Phase.Failed f -> Optional.empty();
      case Phase.Postponed p -> Optional.empty();
    };
  }

  /** A pool that fails is repaired after its delay; a postponed repair stays postponed. */
  private Quiescent withoutChange(PoolState state, Quiescent quiescent) {
    if (state.failing().isEmpty()) {
      boolean stays = quiescent instanceof Phase.Postponed && !state.desired().unowned();
      return stays ? quiescent : quiescent.idle();
    }
    if (quiescent instanceof Phase.Failed failed) {
      return failed;
    }
    Failing failing = state.failing().get();
    Duration delay =
        failing.failures() > 0 ? failing.delay() : limits.repair(1, Duration.ZERO, random);
    return quiescent.fail(writeAt(limits, state, now.plus(delay)));
  }

  /**
   * ARM has accepted a write of another pool that it had refused before, so this pool's delays
   * begin anew at the shortest, counted from its last failure. If the pool fails again, the cause
   * is its own, and the next recovery expedites it half as much.
   */
  PoolState otherRecovered(PoolState state) {
    Instant since = state.history().freshness().settledAt().orElse(now);
    int expedited = state.failing().map(Failing::expedited).orElse(0);
    Instant anew = since.plus(limits.expedited(expedited + 1, random));
    return expedited(state, anew.isAfter(now) ? anew : now, Failing::expeditedOnce);
  }

  /**
   * Its Service or a slice was touched without a change. The pool is tried at once, but at most
   * once a minute for that reason: objects may be touched all the time.
   */
  PoolState touched(PoolState state) {
    Optional<Instant> last = state.failing().flatMap(Failing::touched);
    Instant at = later(now, last.map(touch -> touch.plus(TOUCH)));
    return expedited(state, at, failing -> failing.touchedAt(writeAt(limits, state, at)));
  }

  private PoolState expedited(PoolState state, Instant at, UnaryOperator<Failing> noted) {
    if (!(state.phase().quiescent().orElse(null) instanceof Phase.Failed failed)
        || state.failing().isEmpty()) {
      return state;
    }
    Instant earliest = writeAt(limits, state, at);
    return earliest.isBefore(failed.repairAt())
        ? state.with(noted.apply(state.failing().get())).withQuiescent(failed.fail(earliest))
        : state;
  }
}
