package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolEdit;
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
    if (settled.filter(at -> at.isAfter(observed.startedAt())).isPresent()
        || state.phase() instanceof Phase.Attempting) {
      return Decision.of(state);
    }
    PoolState next = state.seen(observed.view(), observed.startedAt(), now);
    if (next.desired().lost() || !(state.phase() instanceof Phase.Resting resting)) {
      return Decision.of(next);
    }
    Damage before = state.history().damage();
    PoolEdit edit = PoolPlan.of(observed.view(), next.desired().members());
    if (PoolPlan.feasible(observed.view(), edit).isEmpty()) {
      return Decision.of(next.recovered().with(before.clean(observed.startedAt(), limits)));
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
