package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolView;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * What follows from the GET after a PUT of admin states (spec 2, Admin State Lifecycle). The PUT
 * was reported before, and its permit writes nothing more. If the GET shows the states undone, they
 * are tried again as after a failure: two clients must not undo each other without a pause. If the
 * GET does not confirm the states, a listing is asked for.
 *
 * @param state while the GET was in flight
 */
record Confirmation(
    PoolLimits limits,
    PoolState state,
    Phase.Confirming confirming,
    Instant now,
    RandomGenerator random) {
  private static final ArmFailure UNDONE =
      new ArmFailure(
          ArmFailure.Kind.UNDONE,
          0,
          "",
          "the write succeeded, but a read after it shows the admin states as they were before");

  Decision<PoolState, PoolEffect> seen(PoolView view) {
    Decision<PoolState, PoolEffect> seen =
        Observation.of(
            limits, state, new PoolEvent.Observed(view, confirming.attempt().startedAt()), now);
    // A newer level, or a listing, would have been due before.
    boolean undone = state.drain().due().isEmpty() && seen.state().drain().due().isPresent();
    return end(undone ? undone(seen, view) : seen);
  }

  private Decision<PoolState, PoolEffect> undone(
      Decision<PoolState, PoolEffect> seen, PoolView view) {
    Drain drain = seen.state().drain().begun();
    Duration took = Duration.between(confirming.attempt().startedAt(), now);
    return seen.map(next -> next.with(drain.failed(UNDONE, view, limits, now, random)))
        .and(new PoolEffect.DrainFailed(UNDONE, took, drain.failures() == 0));
  }

  Decision<PoolState, PoolEffect> failed(ArmFailure failure) {
    return end(new Decision<>(state, PoolEffect.Throttled.ofDrain(failure)));
  }

  private Decision<PoolState, PoolEffect> end(Decision<PoolState, PoolEffect> read) {
    return read.then(
        new AttemptEnd(limits, read.state(), confirming, now, random).end(PermitResult.SUCCEEDED));
  }
}
