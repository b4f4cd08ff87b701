package io.poolkeeper.pool;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.pool.PoolState.Assigned;
import io.poolkeeper.pool.PoolState.Trouble;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The policy of one backend pool (architecture, section 4): gathers changed levels, takes a turn at
 * the load balancer, reads the pool afresh and writes it only if it differs from the wish. What
 * fails is tried again as spec 1 says.
 *
 * <p>Invariants: at most one attempt is in flight; every PUT follows a GET of the same attempt; at
 * most one PUT per interval, but for retries; nothing is told about a Service that does not own the
 * pool any more; after {@code Stop} nothing is told and nothing is begun.
 */
public final class PoolCore implements Core<PoolState, PoolEvent, PoolEffect> {
  private final PoolLimits limits;

  public PoolCore(PoolLimits limits) {
    this.limits = limits;
  }

  @Override
  public Decision<PoolState, PoolEffect> decide(
      PoolState state, PoolEvent event, Instant now, RandomGenerator random) {
    if (state.phase() instanceof Phase.Stopped) {
      return Decision.of(state, afterStop(event));
    }
    Decision<PoolState, PoolEffect> decision = inRightLane(handle(state, event, now, random));
    boolean inTrouble = decision.state().trouble().isPresent();
    return inTrouble == state.trouble().isPresent()
        ? decision
        : decision.then(
            Decision.of(
                decision.state(),
                new PoolEffect.Report(inTrouble ? PoolReport.FAILING : PoolReport.RECOVERED)));
  }

  @Override
  public Optional<Instant> wakeAt(PoolState state) {
    return state.wakeAt();
  }

  /** What arrives while a turn is waited for may be more urgent than what was there. */
  private static Decision<PoolState, PoolEffect> inRightLane(
      Decision<PoolState, PoolEffect> decision) {
    PoolState state = decision.state();
    if (!(state.phase() instanceof Phase.Waiting waiting) || waiting.lane() == state.lane()) {
      return decision;
    }
    return decision.then(
        Decision.of(
            state.with(waiting.inLane(state.lane())), new PoolEffect.RequestTurn(state.lane())));
  }

  private Decision<PoolState, PoolEffect> handle(
      PoolState state, PoolEvent event, Instant now, RandomGenerator random) {
    return switch (event) {
      case PoolEvent.Desire desire -> scheduled(onDesire(state, desire, now), now, random);
      case PoolEvent.Release release -> scheduled(onRelease(state, release), now, random);
      case PoolEvent.Observed observed -> scheduled(onObserved(state, observed), now, random);
      case PoolEvent.OtherRecovered other ->
          Decision.of(PoolSchedule.hastened(limits, state, now, random));
      case PoolEvent.TimerDue timerDue -> onTimerDue(state, now);
      case PoolEvent.TurnGranted granted -> onTurnGranted(state, granted, now);
      case PoolEvent.ReadDone read -> onReadDone(state, read, now, random);
      case PoolEvent.WriteDone writeDone ->
          state.phase() instanceof Phase.Writing writing
              ? new AttemptEnd(limits, state, writing, now, random).updated(writing)
              : Decision.of(state);
      case PoolEvent.AttemptFailed failed ->
          state.phase() instanceof Phase.Attempting attempting
              ? new AttemptEnd(limits, state, attempting, now, random).failed(failed.failure())
              : Decision.of(state);
      case PoolEvent.Stop stop -> onStop(state);
    };
  }

  private Decision<PoolState, PoolEffect> scheduled(
      Decision<PoolState, PoolEffect> decision, Instant now, RandomGenerator random) {
    return decision.map(next -> PoolSchedule.of(limits, next, now, random));
  }

  private static Decision<PoolState, PoolEffect> onDesire(
      PoolState state, PoolEvent.Desire desire, Instant now) {
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
      return Decision.of(state.phase() instanceof Phase.Failed ? next.withRepair(true) : next);
    }
    Operation operation = Operation.fresh(assignment.service(), assignment.number(), now);
    return Decision.of(next.with(next.queue().add(operation)));
  }

  /** The pool as it was seen last, or as the PUT in flight will leave it. */
  private static Optional<PoolView> expected(PoolState state) {
    return state.phase() instanceof Phase.Writing writing
        ? state.seen().map(seen -> seen.with(writing.edit()))
        : state.seen();
  }

  private static Decision<PoolState, PoolEffect> onRelease(
      PoolState state, PoolEvent.Release release) {
    PoolState next = state.without(release.service());
    return next.phase() instanceof Phase.Waiting waiting && !next.busy()
        ? Decision.of(next.with(waiting.cancel()), new PoolEffect.CancelTurn())
        : Decision.of(next);
  }

  /**
   * A listing repairs what nobody else is about to: never what is queued, parked or in flight, nor
   * what the pool's own timer will repair.
   */
  private static Decision<PoolState, PoolEffect> onObserved(
      PoolState state, PoolEvent.Observed observed) {
    boolean outdated =
        state.settledAt().map(settled -> settled.isAfter(observed.startedAt())).orElse(false);
    if (outdated || !(state.phase() instanceof Phase.Resting)) {
      return Decision.of(state);
    }
    PoolState next = state.withSeen(observed.view());
    if (PoolPlan.of(observed.view(), next.wish()).isEmpty()) {
      return Decision.of(next.clean());
    }
    return Decision.of(next.withRepair(next.phase() instanceof Phase.Idle));
  }

  private static Decision<PoolState, PoolEffect> onTimerDue(PoolState state, Instant now) {
    if (state.wakeAt().filter(due -> !due.isAfter(now)).isEmpty()
        || !(state.phase() instanceof Phase.Still still)) {
      return Decision.of(state);
    }
    boolean repair = state.repair() || still instanceof Phase.Failed;
    PoolState next = state.withRepair(repair);
    return Decision.of(
        next.with(still.await(now, next.lane())), new PoolEffect.RequestTurn(next.lane()));
  }

  private static Decision<PoolState, PoolEffect> onTurnGranted(
      PoolState state, PoolEvent.TurnGranted granted, Instant now) {
    if (!(state.phase() instanceof Phase.Waiting waiting)) {
      return Decision.of(state, new PoolEffect.ReturnTurn(granted.turn(), TurnResult.FAILED));
    }
    List<Operation> taken = state.queue().operations();
    PoolState next =
        state.with(UpdateQueue.EMPTY).withRepair(false).with(waiting.read(granted, taken, now));
    return switch (state.lane()) {
      case DRAIN, UPDATE -> Decision.of(next, new PoolEffect.Read());
      case DRAIN_RETRY, RETRY, REPAIR ->
          Decision.of(next, new PoolEffect.Retry(reason(state)), new PoolEffect.Read());
    };
  }

  /** Why an attempt without a fresh change is made. */
  private static RetryReason reason(PoolState state) {
    return state.trouble().map(Trouble::last).map(ArmFailure::reason).orElse(RetryReason.DRIFT);
  }

  private Decision<PoolState, PoolEffect> onReadDone(
      PoolState state, PoolEvent.ReadDone read, Instant now, RandomGenerator random) {
    if (!(state.phase() instanceof Phase.Reading reading)) {
      return Decision.of(state);
    }
    PoolState seen = state.withSeen(read.view());
    AttemptEnd end = new AttemptEnd(limits, seen, reading, now, random);
    boolean updating = read.view().updating() && !reading.attempt().evenIfUpdating();
    if (updating && !seen.assigned().isEmpty()) {
      return end.othersWrite();
    }
    if (!now.isBefore(reading.attempt().deadline())) {
      return end.tooLate();
    }
    if (!read.view().ipBased()) {
      return Decision.<PoolState, PoolEffect>of(
              seen, new PoolEffect.LeaveAlone("an entry has no ipAddress"))
          .then(end.quiet());
    }
    Set<ServiceKey> owners =
        seen.assigned().values().stream()
            .map(Assigned::assignment)
            .filter(a -> Assignment.owns(a.rulePrefix(), read.view().rules()))
            .map(Assignment::service)
            .collect(Collectors.toSet());
    Decision<PoolState, PoolEffect> ownership =
        owners.size() == seen.assigned().size()
            ? Decision.of(seen)
            : Decision.of(seen, new PoolEffect.Report(PoolReport.LISTING_WANTED));
    PoolEdit edit = PoolPlan.of(read.view(), wishOf(seen, owners));
    if (edit.isEmpty()) {
      return ownership.then(end.asWished(owners));
    }
    PoolState writing = seen.with(reading.write(edit, owners)).writing(now);
    return ownership.then(Decision.of(writing, new PoolEffect.Write(read.document(), edit)));
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

  private static Decision<PoolState, PoolEffect> onStop(PoolState state) {
    PoolState stopped = state.with(UpdateQueue.EMPTY).with(new Phase.Stopped());
    return switch (state.phase()) {
      case Phase.Waiting w ->
          Decision.of(stopped, new PoolEffect.CancelTurn(), new PoolEffect.Halt());
      case Phase.Still s -> Decision.of(stopped, new PoolEffect.Halt());
      case Phase.Stopped s -> Decision.of(stopped);
      case Phase.Attempting a -> Decision.of(stopped);
    };
  }

  /** The turn of an attempt that finishes unheard goes back with the actor's end. */
  private static PoolEffect[] afterStop(PoolEvent event) {
    return switch (event) {
      case PoolEvent.ReadDone r -> new PoolEffect[] {new PoolEffect.Halt()};
      case PoolEvent.WriteDone w -> new PoolEffect[] {new PoolEffect.Halt()};
      case PoolEvent.AttemptFailed f -> new PoolEffect[] {new PoolEffect.Halt()};
      case PoolEvent.TurnGranted g ->
          new PoolEffect[] {new PoolEffect.ReturnTurn(g.turn(), TurnResult.FAILED)};
      case PoolEvent.Desire d -> new PoolEffect[0];
      case PoolEvent.Release r -> new PoolEffect[0];
      case PoolEvent.Observed o -> new PoolEffect[0];
      case PoolEvent.OtherRecovered o -> new PoolEffect[0];
      case PoolEvent.TimerDue t -> new PoolEffect[0];
      case PoolEvent.Stop s -> new PoolEffect[0];
    };
  }
}
