package io.poolkeeper.pool;

import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * What a pool does next when nothing of it is under way: rest, gather, stay parked, or wait for its
 * own repair. A pure function of what there is to do; what is under way already is left alone.
 */
final class PoolSchedule {
  private PoolSchedule() {}

  static PoolState of(PoolLimits limits, PoolState state, Instant now, RandomGenerator random) {
    if (!(state.phase() instanceof Phase.Still still)) {
      return state;
    }
    // What is freed has no change of its own, and so is tried again as a repair is.
    if (state.queue().isEmpty() || (state.failing().isPresent() && state.frees())) {
      return state.with(rest(limits, state, still, now, random));
    }
    Optional<Instant> parkedUntil = state.queue().parkedUntil(now);
    if (parkedUntil.isEmpty()) {
      return state.with(still.gather(joined(still, now).orElseGet(() -> due(limits, state, now))));
    }
    boolean already =
        still instanceof Phase.Parked parked && parked.until().equals(parkedUntil.get());
    return already ? state : state.with(still.park(now, parkedUntil.get()));
  }

  /**
   * Another interval: changes that gather are due as if they came now, and a retry after it at the
   * latest. A repair keeps its time, and what has asked for a turn keeps that.
   */
  static PoolState paced(PoolLimits limits, PoolState state, Instant now) {
    PoolState next = state.with(state.queue().retryBy(now.plus(limits.interval())));
    return next.with(next.phase().gatheringUntil(due(limits, next, now)));
  }

  /** A retry has a time of its own. */
  private static Instant due(PoolLimits limits, PoolState state, Instant now) {
    return state.queue().retryDue().orElseGet(() -> state.history().spacing().due(now, limits));
  }

  /** A change that comes while others gather, or need not stay parked any more, joins them. */
  private static Optional<Instant> joined(Phase.Still still, Instant now) {
    return switch (still) {
      case Phase.Gathering gathering -> Optional.of(gathering.due());
      case Phase.Parked parked -> Optional.of(parked.until()).filter(until -> !until.isAfter(now));
      case Phase.Idle i -> Optional.empty();
      case Phase.Failed f -> Optional.empty();
      case Phase.Postponed p -> Optional.empty();
    };
  }

  /** A repair is paced like any write, and comes not before ARM takes calls again. */
  private static Phase rest(
      PoolLimits limits, PoolState state, Phase.Still still, Instant now, RandomGenerator random) {
    if (state.failing().isEmpty()) {
      boolean damaged = state.history().damage().intactSince().isEmpty();
      boolean postponed = still instanceof Phase.Postponed && damaged;
      return postponed && !state.desired().unowned() ? still : still.idle();
    }
    if (still instanceof Phase.Failed failed) {
      return failed;
    }
    Failing failing = state.failing().get();
    Instant repairAt = limits.repair(now, Math.max(1, failing.failures()), random);
    return still.fail(notBefore(repairAt, limits, state, failing));
  }

  /**
   * ARM did as another pool asked that it had refused before. So what this pool waits for may be
   * over, too: its own delays begin anew at the shortest, counted from its last failure. If it
   * fails all the same, the cause is its own, and the next sign expedites it half as much.
   */
  static PoolState expedited(
      PoolLimits limits, PoolState state, Instant now, RandomGenerator random) {
    if (!(state.phase() instanceof Phase.Failed failed) || state.failing().isEmpty()) {
      return state;
    }
    Failing failing = state.failing().get();
    Instant since = state.history().settledAt().orElse(now);
    Instant anew = limits.repair(since, failing.expedited() + 1, random);
    Instant earliest = notBefore(anew.isAfter(now) ? anew : now, limits, state, failing);
    return earliest.isBefore(failed.repairAt())
        ? state.with(failing.expeditedOnce()).with(failed.fail(earliest))
        : state;
  }

  private static Instant notBefore(
      Instant repairAt, PoolLimits limits, PoolState state, Failing failing) {
    return Stream.of(state.history().spacing().next(limits), failing.last().retryAfter())
        .flatMap(Optional::stream)
        .reduce(repairAt, (one, other) -> one.isAfter(other) ? one : other);
  }
}
