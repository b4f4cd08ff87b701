package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Whether a turn is wanted, and how urgently (architecture, section 4, rule 4). A drain that is not
 * held asks for one whatever its pool waits for, and takes along what waits if that is due, too; a
 * turn that is waited for already serves both.
 */
record Turns(PoolLimits limits, Instant now, RandomGenerator random) {
  Decision<PoolState, PoolEffect> wanted(Decision<PoolState, PoolEffect> decision) {
    PoolState state = decision.state();
    Optional<Priority> drain = state.drains(now);
    return switch (state.phase()) {
      case Phase.Still still ->
          drain
              .map(
                  priority ->
                      decision
                          .map(next -> next.with(still.drain(now, priority)))
                          .and(new PoolEffect.RequestTurn(priority)))
              .orElse(decision);
      case Phase.Waiting waiting -> atRightPriority(decision, waiting, drain);
      case Phase.Attempting a -> decision;
      case Phase.Ending e -> decision;
    };
  }

  /**
   * A change that arrives during the wait for a turn may be more urgent, and one that is early is
   * so no longer when the interval has passed; changes may be held; a node may come back before its
   * turn does, and the share of a pool that is leaving may change.
   */
  private Decision<PoolState, PoolEffect> atRightPriority(
      Decision<PoolState, PoolEffect> decision, Phase.Waiting waiting, Optional<Priority> drain) {
    PoolState state = decision.state();
    boolean changes =
        !state.queue().isEmpty()
            && !state.held()
            && (waiting.interrupted().isEmpty() || state.mayGoAlong(limits, now));
    if (drain.isEmpty() && !changes) {
      PoolState idle = PoolSchedule.of(limits, state.with(waiting.cancel()), now, random);
      return decision.map(any -> idle).and(new PoolEffect.CancelTurn());
    }
    Optional<Instant> earlyUntil = changes ? state.earlyUntil(limits, now) : Optional.empty();
    Optional<Lane> change =
        changes ? Optional.of(state.desired().lane(earlyUntil.isPresent())) : Optional.empty();
    Priority priority =
        drain
            .filter(one -> change.map(other -> one.lane().compareTo(other) < 0).orElse(true))
            .or(() -> change.map(Priority::of))
            .orElseThrow();
    boolean alone = state.queue().isEmpty() || state.held();
    Phase.Waiting kept = alone ? waiting.drainOnly() : waiting;
    Decision<PoolState, PoolEffect> moved =
        decision.map(next -> next.with(kept.with(priority, earlyUntil)));
    return priority.equals(waiting.priority())
        ? moved
        : moved.and(new PoolEffect.RequestTurn(priority));
  }
}
