package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.TurnResult;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * What follows from the GET after a PUT of admin states (spec 2, Admin State Lifecycle). The PUT
 * was reported before, and nothing is written under its turn any more. What this GET does not show
 * as it was written is read by a listing.
 *
 * @param state while the GET was in flight
 */
record Confirmation(
    PoolLimits limits,
    PoolState state,
    Phase.Confirming confirming,
    Instant now,
    RandomGenerator random) {
  Decision<PoolState, PoolEffect> seen(PoolView view) {
    PoolState seen = state.seen(view, confirming.attempt().startedAt(), now);
    // ARM or another client has undone the write at once; a newer level would have been due before.
    boolean lost = state.drain().due().isEmpty() && seen.drain().due().isPresent();
    PoolState next = lost ? seen.with(seen.drain().later(limits.recheck(now))) : seen;
    return end(Observation.ofMembers(limits, next, view, now));
  }

  Decision<PoolState, PoolEffect> failed(ArmFailure failure) {
    Decision<PoolState, PoolEffect> same = Decision.of(state);
    return end(
        PoolEffect.Throttled.by(failure, true)
            .<Decision<PoolState, PoolEffect>>map(same::and)
            .orElse(same));
  }

  private Decision<PoolState, PoolEffect> end(Decision<PoolState, PoolEffect> read) {
    return read.then(
        new AttemptEnd(limits, read.state(), confirming, now, random).end(TurnResult.SUCCEEDED));
  }
}
