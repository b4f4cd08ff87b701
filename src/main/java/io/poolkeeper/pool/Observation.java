package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What follows from a listing that shows a pool. The view is ignored during a PUT, as nobody knows
 * whether it shows that PUT. A difference starts a repair only if no change is queued, parked or in
 * flight, no failed attempt is to be repaired, and no watch is lost: with a lost watch, what is
 * desired may be old, and others may know better.
 */
final class Observation {
  private Observation() {}

  static Decision<PoolState, PoolEffect> of(
      PoolLimits limits, PoolState state, PoolEvent.Observed observed, Instant now) {
    Instant startedAt = observed.startedAt();
    if (state.history().freshness().outdates(startedAt) || state.phase() instanceof Phase.Writing) {
      return Decision.of(state);
    }
    PoolView view = observed.view();
    PoolState seen = state.seen(view, startedAt, now).with(state.history().seen(startedAt));
    return ofMembers(limits, seen, view, now);
  }

  static Decision<PoolState, PoolEffect> ofMembers(
      PoolLimits limits, PoolState seen, PoolView view, Instant now) {
    if (seen.desired().watchLost()
        || !(seen.phase().quiescent().orElse(null) instanceof Phase.Resting resting)) {
      return Decision.of(seen);
    }
    Drift drift = seen.history().drift();
    PoolEdit edit = PoolPlan.feasible(view, PoolPlan.of(view, seen.desired().members()));
    if (edit.isEmpty()) {
      return Decision.of(
          seen.recovered().with(drift.seenAsDesired(now)).withQuiescent(resting.idle()));
    }
    return resting instanceof Phase.Failed || seen.wouldWrite().covers(edit)
        ? Decision.of(seen)
        : repair(limits, seen.with(drift.found(edit, now)), drift, edit, now);
  }

  /**
   * Repairs at once, as soon as the spacing allows it; but two writers that undo each other must
   * slow down. A PUT writes the whole pool, so an urgent difference takes the others along.
   */
  private static Decision<PoolState, PoolEffect> repair(
      PoolLimits limits, PoolState state, Drift before, PoolEdit edit, Instant now) {
    Drift drift = state.history().drift();
    Set<Drift.Undone> fights = new TreeSet<>(drift.fights());
    fights.removeAll(before.fights());
    Decision<PoolState, PoolEffect> found = new Decision<>(state, contested(state, fights));
    Instant at = drift.due(edit, limits, now);
    if (!at.isAfter(now)) {
      return found.map(next -> next.withRepair(true));
    }
    Instant until = PoolSchedule.writeAt(limits, state, at);
    boolean waits = state.phase().quiescent().orElseThrow() instanceof Phase.Postponed;
    Decision<PoolState, PoolEffect> later =
        found.map(next -> next.withQuiescent(new Phase.Postponed(until)));
    return waits
        ? later
        : later.and(
            new PoolEffect.RepairPostponed(
                drift.mostUndone(edit, now), Duration.between(now, until), !fights.isEmpty()));
  }

  /** Events about missing addresses only: a surplus address keeps nobody from traffic. */
  private static List<PoolEffect> contested(PoolState state, Set<Drift.Undone> fights) {
    List<Address> missing =
        fights.stream()
            .filter(undone -> undone.direction() == Drift.Direction.MISSING)
            .map(Drift.Undone::address)
            .toList();
    if (missing.isEmpty()) {
      return List.of();
    }
    PoolId pool = state.observed().orElseThrow().id();
    return state.desired().services().values().stream()
        .<PoolEffect>map(
            service -> new PoolEffect.Emit(EventTexts.contested(service, pool, missing)))
        .toList();
  }
}
