package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.pool.Phase.Quiescent;
import io.poolkeeper.pool.Phase.Waiting;
import io.poolkeeper.ratelimit.Priority;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Whether a pool wants a permit, how urgently, and when that must be looked at again (architecture,
 * Invariants). A drain asks for a permit whatever the pool waits for. One permit serves both a
 * drain and the changes that are due by then.
 */
record PermitDemand(PoolLimits limits, Instant now, RandomGenerator random) {
  private PoolSchedule schedule() {
    return new PoolSchedule(limits, now, random);
  }

  Decision<PoolState, PoolEffect> wanted(Decision<PoolState, PoolEffect> decision) {
    PoolState state = decision.state();
    Optional<Priority> drain = state.drainDue().flatMap(due -> state.drain().priority(now));
    return switch (state.phase()) {
      case Quiescent quiescent ->
          drain
              .map(
                  priority ->
                      decision
                          .map(next -> withTimer(next, quiescent.drain(now, priority)))
                          .and(new PoolEffect.RequestPermit(priority)))
              .orElse(decision);
      case Waiting waiting -> atRightPriority(decision, waiting, drain);
      case Phase.Attempting a -> decision;
      case Phase.Ending e -> decision;
    };
  }

  /**
   * A waiting request keeps the right priority: a change may be more urgent, an early change is an
   * update when the interval has passed, changes may become held, a node may come back, and the
   * share of leaving entries may change.
   */
  private Decision<PoolState, PoolEffect> atRightPriority(
      Decision<PoolState, PoolEffect> decision, Waiting before, Optional<Priority> drain) {
    Decision<PoolState, PoolEffect> purposeful = decision.map(next -> withPurpose(next, before));
    PoolState state = purposeful.state();
    if (!(state.phase() instanceof Waiting waiting)) {
      return purposeful;
    }
    boolean changes = waiting.interrupted().isEmpty();
    if (drain.isEmpty() && !changes) {
      return purposeful
          .map(next -> schedule().scheduled(next.with(waiting.cancel())))
          .and(new PoolEffect.CancelRequest());
    }
    Priority priority = drain.orElseGet(() -> state.priority(limits, now));
    Decision<PoolState, PoolEffect> timed =
        purposeful.map(next -> withTimer(next, waiting.with(priority)));
    return priority.equals(before.priority())
        ? timed
        : timed.and(new PoolEffect.RequestPermit(priority));
  }

  /**
   * The purpose of the permit: changes as long as there are any that are not held, else admin
   * states alone until the interrupted phase is due.
   */
  private PoolState withPurpose(PoolState state, Waiting waiting) {
    if (waiting.interrupted().isEmpty()) {
      boolean nothingElse = state.queue().isEmpty() || state.held();
      return nothingElse ? schedule().scheduled(state.with(waiting.drainOnly())) : state;
    }
    return state.isDue(now) ? state.repairingAtRest().with(waiting.join()) : state;
  }

  /** The one timer of a waiting request, and of the phase behind it. */
  private PoolState withTimer(PoolState state, Waiting waiting) {
    PoolState next = state.with(waiting);
    Optional<Instant> early =
        waiting.interrupted().isEmpty() ? state.earlyUntil(limits, now) : Optional.empty();
    Optional<Instant> drain = state.drainDue().filter(due -> due.isAfter(now));
    return next.with(waiting.wakingAt(PoolState.earliest(early, next.changesDue(), drain)));
  }
}
