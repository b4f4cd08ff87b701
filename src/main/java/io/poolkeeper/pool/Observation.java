package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What follows from a listing that shows a pool. It starts a repair only if nothing is queued,
 * parked or in flight, the pool's own timer is not set, and no watch is lost: what a lost watch
 * left of the cluster is old, and others may know better.
 */
final class Observation {
  private Observation() {}

  static Decision<PoolState, PoolEffect> of(
      PoolLimits limits, PoolState state, PoolEvent.Observed observed, Instant now) {
    Optional<Instant> settled = state.history().settledAt();
    if (settled.filter(at -> at.isAfter(observed.startedAt())).isPresent()) {
      return Decision.of(state);
    }
    PoolView view = observed.view();
    Instant startedAt = observed.startedAt();
    PoolState next = state.with(state.drain().seen(view, startedAt, now));
    return switch (state.phase()) {
      case Phase.Resting r -> ofMembers(limits, next.observed(view), view, startedAt, now);
      case Phase.Waiting waiting ->
          waiting
              .interrupted()
              .filter(Phase.Resting.class::isInstance)
              .map(r -> ofMembers(limits, next.observed(view).with(r), view, startedAt, now))
              .map(seen -> seen.map(after -> after.with(waiting.resumes(after.phase()))))
              .orElse(Decision.of(next));
      case Phase.Gathering g -> Decision.of(next);
      case Phase.Parked p -> Decision.of(next);
      case Phase.Attempting a -> Decision.of(state);
      case Phase.Ending e -> Decision.of(state);
    };
  }

  /** What follows for the members from a view that a call has shown which began then. */
  static Decision<PoolState, PoolEffect> ofMembers(
      PoolLimits limits, PoolState next, PoolView view, Instant startedAt, Instant now) {
    if (next.desired().lost() || !(next.phase() instanceof Phase.Resting resting)) {
      return Decision.of(next);
    }
    Damage before = next.history().damage();
    PoolEdit edit = PoolPlan.of(view, next.desired().members());
    if (PoolPlan.feasible(view, edit).isEmpty()) {
      PoolState well = next.recovered().with(before.clean(startedAt, limits));
      // A drain that waits would keep the phase, and leave damage to a timer that is not set.
      return Decision.of(resting instanceof Phase.Failed ? well.with(resting.idle()) : well);
    }
    return switch (resting) {
      case Phase.Idle idle -> repair(limits, next.with(before.different(limits)), before, now);
      case Phase.Failed f -> Decision.of(next);
      case Phase.Postponed p -> Decision.of(next);
    };
  }

  /**
   * At once, as soon as the spacing allows; but two writers that undo each other must slow down.
   */
  private static Decision<PoolState, PoolEffect> repair(
      PoolLimits limits, PoolState state, Damage before, Instant now) {
    int inRow = state.history().damage().inRow();
    if (before.intactSince().isEmpty() || inRow < Damage.PATIENCE) {
      return Decision.of(state.withRepair(true));
    }
    Instant spaced = state.history().spacing().due(now, limits);
    Instant late = now.plus(limits.postponement(inRow));
    Instant until = late.isAfter(spaced) ? late : spaced;
    boolean news = before.inRow() < Damage.PATIENCE;
    return Decision.of(
        state.with(new Phase.Postponed(until)),
        new PoolEffect.RepairPostponed(inRow, Duration.between(now, until), news));
  }
}
