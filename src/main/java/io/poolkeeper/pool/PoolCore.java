package io.poolkeeper.pool;

import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Phase.Attempt;
import io.poolkeeper.pool.PoolState.Assigned;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The policy of one backend pool (architecture, section 4): gathers changed levels, takes a turn at
 * the load balancer, reads the pool afresh and writes it only if it differs from the wish.
 *
 * <p>Invariants: at most one attempt is in flight; every PUT follows a GET of the same attempt; at
 * most one PUT per interval; no event and no metric for an attempt that wrote nothing; nothing is
 * told about a Service that does not own the pool any more.
 */
final class PoolCore {
  private final PoolLimits limits;

  PoolCore(PoolLimits limits) {
    this.limits = limits;
  }

  PoolDecision decide(PoolState state, PoolEvent event, Instant now) {
    if (state.phase() instanceof Phase.Stopped) {
      return PoolDecision.of(state, afterStop(event));
    }
    return switch (event) {
      case PoolEvent.Desire desire -> onDesire(state, desire, now);
      case PoolEvent.Release release -> onRelease(state, release);
      case PoolEvent.Observed observed -> onObserved(state, observed, now);
      case PoolEvent.TimerDue timerDue -> onTimerDue(state, now);
      case PoolEvent.TurnGranted granted -> onTurnGranted(state, granted, now);
      case PoolEvent.ReadDone read -> onReadDone(state, read, now);
      case PoolEvent.WriteDone writeDone -> onWriteDone(state, now);
      case PoolEvent.AttemptFailed failed -> AttemptEnd.failed(this, state, failed.failure(), now);
      case PoolEvent.Stop stop -> onStop(state);
    };
  }

  private PoolDecision onDesire(PoolState state, PoolEvent.Desire desire, Instant now) {
    Assignment assignment = desire.assignment();
    Optional<Assigned> before = Optional.ofNullable(state.assigned().get(assignment.service()));
    Assigned after = new Assigned(assignment, desire.level());
    PoolState next = state.with(after);
    boolean changesNothing =
        before.equals(Optional.of(after))
            || desire.level() instanceof Level.Unknown
            || (before.isEmpty()
                && expected(state)
                    .map(seen -> PoolPlan.of(seen, next.wish()).isEmpty())
                    .orElse(false));
    if (changesNothing) {
      return state.phase() instanceof Phase.Failed
          ? PoolDecision.of(gather(next.withRepair(true), now))
          : PoolDecision.of(next);
    }
    Operation operation = new Operation(assignment.service(), assignment.number(), now);
    return PoolDecision.of(gather(next.with(next.queue().add(operation)), now));
  }

  /** The pool as it was seen last, or as the PUT in flight will leave it. */
  private static Optional<PoolView> expected(PoolState state) {
    return state.phase() instanceof Phase.Writing writing
        ? state.seen().map(seen -> seen.with(writing.edit()))
        : state.seen();
  }

  private static PoolDecision onRelease(PoolState state, PoolEvent.Release release) {
    PoolState without = state.without(release.service());
    PoolState next = without.assigned().isEmpty() ? without.withRepair(false) : without;
    if (!next.queue().isEmpty() || next.repair()) {
      return PoolDecision.of(next);
    }
    boolean inTrouble = next.trouble().isPresent();
    return switch (next.phase()) {
      case Phase.Gathering gathering -> PoolDecision.of(next.with(gathering.cancel(inTrouble)));
      case Phase.Waiting waiting ->
          PoolDecision.of(next.with(waiting.cancel(inTrouble)), new PoolEffect.CancelTurn());
      case Phase.Resting r -> PoolDecision.of(next);
      case Phase.Reading r -> PoolDecision.of(next);
      case Phase.Writing w -> PoolDecision.of(next);
      case Phase.Stopped s -> PoolDecision.of(next);
    };
  }

  /** A listing repairs what nobody else is about to: never what is queued or in flight already. */
  private PoolDecision onObserved(PoolState state, PoolEvent.Observed observed, Instant now) {
    boolean outdated =
        state.settledAt().map(settled -> settled.isAfter(observed.startedAt())).orElse(false);
    if (outdated || !(state.phase() instanceof Phase.Resting)) {
      return PoolDecision.of(state);
    }
    PoolState next = state.withSeen(observed.view());
    if (!PoolPlan.of(observed.view(), next.wish()).isEmpty()) {
      return PoolDecision.of(gather(next.withRepair(true), now));
    }
    return AttemptEnd.clean(next.with(new Phase.Idle()));
  }

  private static PoolDecision onTimerDue(PoolState state, Instant now) {
    if (state.phase() instanceof Phase.Gathering gathering && !gathering.due().isAfter(now)) {
      return PoolDecision.of(state.with(gathering.await(now)), new PoolEffect.RequestTurn());
    }
    return PoolDecision.of(state);
  }

  private static PoolDecision onTurnGranted(
      PoolState state, PoolEvent.TurnGranted granted, Instant now) {
    if (!(state.phase() instanceof Phase.Waiting waiting)) {
      return PoolDecision.of(state, new PoolEffect.ReturnTurn(granted.turn()));
    }
    List<Operation> taken = state.queue().operations();
    PoolState next =
        state
            .with(UpdateQueue.EMPTY)
            .withRepair(false)
            .with(waiting.read(granted.turn(), taken, now));
    return PoolDecision.of(next, new PoolEffect.Read());
  }

  private PoolDecision onReadDone(PoolState state, PoolEvent.ReadDone read, Instant now) {
    if (!(state.phase() instanceof Phase.Reading reading)) {
      return PoolDecision.of(state);
    }
    Attempt attempt = reading.attempt();
    PoolState seen = state.withSeen(read.view());
    PoolEffect.ReturnTurn back = new PoolEffect.ReturnTurn(attempt.turn());
    if (read.view().updating() && !seen.assigned().isEmpty()) {
      return PoolDecision.of(recheck(seen, attempt, now), back);
    }
    if (!read.view().ipBased()) {
      return PoolDecision.of(seen, new PoolEffect.LeaveAlone("an entry has no ipAddress"))
          .then(AttemptEnd.quiet(this, seen, attempt, now));
    }
    Set<ServiceKey> owners =
        seen.assigned().values().stream()
            .map(Assigned::assignment)
            .filter(a -> Assignment.owns(a.rulePrefix(), read.view().rules()))
            .map(Assignment::service)
            .collect(Collectors.toSet());
    PoolDecision ownership =
        owners.size() == seen.assigned().size()
            ? PoolDecision.of(seen)
            : PoolDecision.of(seen, new PoolEffect.AskForListing());
    PoolEdit edit = PoolPlan.of(read.view(), wishOf(seen, owners));
    if (edit.isEmpty()) {
      return ownership.then(AttemptEnd.quiet(this, seen, attempt, now));
    }
    PoolState writing = seen.with(reading.write(edit, owners)).writing(now);
    return ownership.then(PoolDecision.of(writing, new PoolEffect.Write(edit)));
  }

  /**
   * A Service without a rule here counts as unknown: what others want is added, nothing removed.
   */
  private static Wish wishOf(PoolState state, Set<ServiceKey> owners) {
    return Wish.of(
        state.assigned().values().stream()
            .map(a -> owners.contains(a.assignment().service()) ? a.level() : new Level.Unknown())
            .toList());
  }

  /** Somebody else's write is running: the turn goes back, and nothing is spent. */
  private static PoolState recheck(PoolState state, Attempt attempt, Instant now) {
    List<Operation> back = attempt.operations().stream().filter(state::relevant).toList();
    return state
        .with(state.queue().putBack(back))
        .withRepair(true)
        .with(new Phase.Idle().gather(now.plus(PoolLimits.UPDATING_RECHECK)))
        .settled(now);
  }

  private PoolDecision onWriteDone(PoolState state, Instant now) {
    return state.phase() instanceof Phase.Writing writing
        ? AttemptEnd.updated(this, state, writing, now)
        : PoolDecision.of(state);
  }

  private static PoolDecision onStop(PoolState state) {
    PoolState stopped = state.with(UpdateQueue.EMPTY).with(new Phase.Stopped());
    return switch (state.phase()) {
      case Phase.Waiting w ->
          PoolDecision.of(stopped, new PoolEffect.CancelTurn(), new PoolEffect.Halt());
      case Phase.Resting r -> PoolDecision.of(stopped, new PoolEffect.Halt());
      case Phase.Gathering g -> PoolDecision.of(stopped, new PoolEffect.Halt());
      case Phase.Stopped s -> PoolDecision.of(stopped);
      case Phase.Reading r -> PoolDecision.of(stopped);
      case Phase.Writing w -> PoolDecision.of(stopped);
    };
  }

  /** The turn of an attempt that finishes unheard goes back with the actor's end. */
  private static PoolEffect[] afterStop(PoolEvent event) {
    return switch (event) {
      case PoolEvent.ReadDone r -> new PoolEffect[] {new PoolEffect.Halt()};
      case PoolEvent.WriteDone w -> new PoolEffect[] {new PoolEffect.Halt()};
      case PoolEvent.AttemptFailed f -> new PoolEffect[] {new PoolEffect.Halt()};
      case PoolEvent.TurnGranted g -> new PoolEffect[] {new PoolEffect.ReturnTurn(g.turn())};
      case PoolEvent.Desire d -> new PoolEffect[0];
      case PoolEvent.Release r -> new PoolEffect[0];
      case PoolEvent.Observed o -> new PoolEffect[0];
      case PoolEvent.TimerDue t -> new PoolEffect[0];
      case PoolEvent.Stop s -> new PoolEffect[0];
    };
  }

  /** After an attempt: changes that arrived meanwhile are next. */
  PoolState next(PoolState state, Instant now) {
    return state.queue().isEmpty() && !state.repair() ? state : gather(state, now);
  }

  /** Begins to gather if nothing is under way; what is under way picks the change up by itself. */
  PoolState gather(PoolState state, Instant now) {
    return state.phase() instanceof Phase.Resting resting
        ? state.with(resting.gather(limits.due(now, state.lastWrite())))
        : state;
  }
}
