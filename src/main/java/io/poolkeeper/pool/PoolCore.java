package io.poolkeeper.pool;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.ratelimit.PermitAnswer;
import io.poolkeeper.ratelimit.Priority;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The policy of one backend pool (architecture, From an endpoint to Azure): gathers changed levels,
 * takes a permit at the load balancer, reads the pool afresh and writes it only if it differs from
 * the desired members. Failures are retried as spec 1 says.
 *
 * <p>Invariants: at most one attempt is in flight; every PUT follows a GET of the same attempt;
 * PUTs are spaced as {@link Spacing} says, but for retries; nothing is reported about a Service
 * that no longer owns the pool; after {@code Stop} nothing is reported and nothing begins.
 */
public final class PoolCore implements Core<PoolState, PoolEvent, PoolEffect> {
  private final PoolLimits limits;

  public PoolCore(PoolLimits limits) {
    this.limits = limits;
  }

  @Override
  public Decision<PoolState, PoolEffect> decide(
      PoolState state, PoolEvent event, Instant now, RandomGenerator random) {
    if (state.phase() instanceof Phase.Ending ending) {
      return afterStop(state, ending, event);
    }
    if (event instanceof PoolEvent.NodesOutOfService nodes && state.unmovedBy(nodes.set())) {
      return Decision.of(state.with(state.drain().with(nodes)));
    }
    return inFull(state, event, now, random);
  }

  /** The decision by all rules, of a pool that has not ended. */
  Decision<PoolState, PoolEffect> inFull(
      PoolState state, PoolEvent event, Instant now, RandomGenerator random) {
    Decision<PoolState, PoolEffect> handled = handle(state, event, now, random);
    Decision<PoolState, PoolEffect> judged =
        Leftovers.after(
            limits,
            state,
            event,
            reportLeftAlone(state, reportAdminStates(state, handled))
                .map(PoolState::withoutFulfilledDecisions),
            now);
    Decision<PoolState, PoolEffect> decision =
        new PermitDemand(limits, now, random).wanted(rescheduleBrake(state, judged, now, random));
    boolean failing = decision.state().failing().isPresent();
    return failing == state.failing().isPresent()
        ? decision
        : decision.and(
            new PoolEffect.Report(
                failing ? PoolReport.FAILING : endOfFailing(decision.state(), event)));
  }

  /** How a pool has ceased to fail. A failure that ends it says that the pool is not there. */
  private static PoolReport endOfFailing(PoolState state, PoolEvent event) {
    return state.desired().unowned() || event instanceof PoolEvent.AttemptFailed
        ? PoolReport.DROPPED
        : PoolReport.RECOVERED;
  }

  /** The phase follows a hold of the brake that this event has begun, moved or ended. */
  private Decision<PoolState, PoolEffect> rescheduleBrake(
      PoolState before,
      Decision<PoolState, PoolEffect> decision,
      Instant now,
      RandomGenerator random) {
    return decision.state().leftovers().brakedUntil().equals(before.leftovers().brakedUntil())
        ? decision
        : decision.map(new PoolSchedule(limits, now, random)::scheduled);
  }

  @Override
  public Optional<Instant> wakeAt(PoolState state) {
    return state.wakeAt();
  }

  private static Decision<PoolState, PoolEffect> reportAdminStates(
      PoolState before, Decision<PoolState, PoolEffect> decision) {
    Optional<AdminReport> report = decision.state().drain().report();
    return report.equals(before.drain().report())
        ? decision
        : decision.and(new PoolEffect.Followed(report.orElseThrow()));
  }

  private static Decision<PoolState, PoolEffect> reportLeftAlone(
      PoolState before, Decision<PoolState, PoolEffect> decision) {
    Optional<String> why = decision.state().leftAlone();
    return why.isEmpty() || why.equals(before.leftAlone())
        ? decision
        : decision.and(new PoolEffect.LeaveAlone(why.get()));
  }

  private Decision<PoolState, PoolEffect> handle(
      PoolState state, PoolEvent event, Instant now, RandomGenerator random) {
    PoolSchedule schedule = new PoolSchedule(limits, now, random);
    return switch (event) {
      case PoolEvent.Desire desire ->
          Decision.of(schedule.scheduled(onDesire(schedule, state, desire)));
      case PoolEvent.Release release ->
          Decision.of(schedule.scheduled(state.without(release.service())));
      case PoolEvent.Bind bind ->
          Decision.of(schedule.scheduled(state.with(state.desired().withBound(bind.bound()))));
      case PoolEvent.Paused paused ->
          Decision.of(schedule.scheduled(state.with(state.desired().withPause(paused.pause()))));
      case PoolEvent.Observed observed ->
          Observation.of(limits, state, observed, now).map(schedule::scheduled);
      case PoolEvent.WatchLost lost ->
          Decision.of(schedule.scheduled(WatchPolicy.lost(state, lost)));
      case PoolEvent.WatchesLive live ->
          Decision.of(schedule.scheduled(WatchPolicy.live(state, now)));
      case PoolEvent.NodesOutOfService nodes ->
          Decision.of(
              state.with(state.drain().withLevel(nodes, state.expected(), limits, now, random)));
      case PoolEvent.OtherRecovered other -> Decision.of(schedule.otherRecovered(state));
      case PoolEvent.TimerDue timerDue -> onTimerDue(limits, state, now);
      case PoolEvent.PermitAnswered permit ->
          switch (permit.answer()) {
            case PermitAnswer.Granted granted -> onPermitGranted(state, granted, now);
            case PermitAnswer.Recalled recalled -> Decision.of(onPermitRecalled(state, recalled));
          };
      case PoolEvent.ReadDone read ->
          switch (state.phase()) {
            case Phase.Reading reading ->
                new AttemptRead(limits, state, reading, now, random).done(read);
            case Phase.Confirming confirming ->
                new Confirmation(limits, state, confirming, now, random).seen(read.view());
            case Phase.Quiescent s -> Decision.of(state);
            case Phase.Waiting w -> Decision.of(state);
            case Phase.Writing w -> Decision.of(state);
            case Phase.Ending e -> Decision.of(state);
          };
      case PoolEvent.WriteDone writeDone ->
          state.phase() instanceof Phase.Writing writing
              ? new AttemptEnd(limits, state, writing, now, random).updated(writing)
              : Decision.of(state);
      case PoolEvent.AttemptFailed failed ->
          switch (state.phase()) {
            case Phase.Confirming confirming ->
                new Confirmation(limits, state, confirming, now, random).failed(failed.failure());
            case Phase.Attempting attempting ->
                new AttemptEnd(limits, state, attempting, now, random).failed(failed.failure());
            case Phase.Quiescent s -> Decision.of(state);
            case Phase.Waiting w -> Decision.of(state);
            case Phase.Ending e -> Decision.of(state);
          };
      case PoolEvent.Stop stop -> onStop(state);
    };
  }

  private static PoolState onDesire(
      PoolSchedule schedule, PoolState state, PoolEvent.Desire desire) {
    Ownership after = desire.ownership();
    Optional<Ownership> before =
        Optional.ofNullable(state.desired().services().get(after.service()));
    Desired desired = state.desired().with(after);
    PoolState next = state.with(desired).with(state.history().drift().withDesired(desired));
    if (isNoChange(state, before, after, next)) {
      return next.desired().watchLost() ? next : schedule.touched(next);
    }
    return next.with(next.queue().add(Operation.fresh(after, schedule.now())));
  }

  /**
   * Whether the pool has nothing to write because of what a Service wants now. A new owner, or one
   * for which only the known nodes differ, needs no read of a pool that was seen right. A PUT in
   * flight may fail, so that no view counts during one. A pool that holds interfaces is not read
   * for this: a listing shows when it holds none any more.
   */
  private static boolean isNoChange(
      PoolState state, Optional<Ownership> before, Ownership after, PoolState next) {
    boolean repeated = before.equals(Optional.of(after));
    boolean unknown = after.level() instanceof Level.Unknown;
    boolean seenAsWanted =
        before.filter(old -> !old.level().hasMembersOf(after.level())).isEmpty()
            && !(state.phase() instanceof Phase.Writing)
            && state.differsFrom(next.desired().writable()).equals(Optional.of(false));
    boolean waitsForWatch =
        next.desired().watchLost() && !next.desired().addsMoreThan(state.desired());
    boolean interfaces = state.observed().filter(view -> !view.ipBased()).isPresent();
    return repeated || unknown || seenAsWanted || waitsForWatch || interfaces;
  }

  private static Decision<PoolState, PoolEffect> onTimerDue(
      PoolLimits limits, PoolState state, Instant now) {
    if (!(state.phase() instanceof Phase.Quiescent quiescent) || !state.isDue(now)) {
      return Decision.of(state);
    }
    PoolState next = state.repairingAtRest();
    Priority priority = next.priority(limits, now);
    return Decision.of(
        next.with(quiescent.await(now, priority)), new PoolEffect.RequestPermit(priority));
  }

  private static Decision<PoolState, PoolEffect> onPermitGranted(
      PoolState state, PermitAnswer.Granted granted, Instant now) {
    if (!(state.phase() instanceof Phase.Waiting waiting)) {
      return Decision.of(state, new PoolEffect.ReturnPermit(granted.permit(), PermitResult.UNUSED));
    }
    boolean drainOnly = waiting.interrupted().isPresent() && !state.isDue(now);
    PoolState reading =
        drainOnly
            ? state.with(waiting.readForDrain(granted, now))
            : state
                .with(waiting.read(granted, state.queue().operations(), now))
                .with(UpdateQueue.EMPTY);
    PoolState next = reading.with(state.drain().begun());
    PoolEffect read = new PoolEffect.Read(granted.deadline());
    return switch (waiting.priority().level()) {
      case DRAIN, UPDATE, EARLY -> Decision.of(next, read);
      case DRAIN_RETRY, RETRY, REPAIR ->
          Decision.of(next, new PoolEffect.Retry(reason(state)), read);
    };
  }

  /** A PUT in flight goes on: its etag decides. */
  private static PoolState onPermitRecalled(PoolState state, PermitAnswer.Recalled recalled) {
    return state.phase() instanceof Phase.Reading reading
            && reading.attempt().grant().permit() == recalled.permit()
        ? state.with(reading.until(recalled.deadline()))
        : state;
  }

  /** Why an attempt without a fresh change is made. */
  private static RetryReason reason(PoolState state) {
    return state
        .failing()
        .map(Failing::last)
        .or(() -> state.drain().failure())
        .map(ArmFailure::reason)
        .orElse(RetryReason.DRIFT);
  }

  private static Decision<PoolState, PoolEffect> onStop(PoolState state) {
    PoolState idle = state.with(UpdateQueue.EMPTY);
    return switch (state.phase()) {
      case Phase.Waiting waiting ->
          Decision.of(idle.with(waiting.stop()), new PoolEffect.CancelRequest());
      case Phase.Quiescent quiescent -> Decision.of(idle.with(quiescent.stop()));
      case Phase.Attempting attempting -> Decision.of(idle.with(attempting.stop()));
      case Phase.Ending e -> Decision.of(state);
    };
  }

  /** An attempt finishes without a report, but others at the load balancer wait for its permit. */
  private static Decision<PoolState, PoolEffect> afterStop(
      PoolState state, Phase.Ending ending, PoolEvent event) {
    return switch (event) {
      case PoolEvent.ReadDone r -> finish(state, ending, Phase.Stopping::succeeded);
      case PoolEvent.WriteDone w -> finish(state, ending, Phase.Stopping::succeeded);
      case PoolEvent.AttemptFailed f ->
          finish(state, ending, stopping -> stopping.failed(f.failure()));
      case PoolEvent.PermitAnswered permit ->
          switch (permit.answer()) {
            case PermitAnswer.Granted granted ->
                Decision.of(
                    state, new PoolEffect.ReturnPermit(granted.permit(), PermitResult.UNUSED));
            case PermitAnswer.Recalled recalled -> Decision.of(state);
          };
      case PoolEvent.Desire d -> Decision.of(state);
      case PoolEvent.Release r -> Decision.of(state);
      case PoolEvent.Bind b -> Decision.of(state);
      case PoolEvent.Paused p -> Decision.of(state);
      case PoolEvent.Observed o -> Decision.of(state);
      case PoolEvent.NodesOutOfService n -> Decision.of(state);
      case PoolEvent.OtherRecovered o -> Decision.of(state);
      case PoolEvent.WatchLost w -> Decision.of(state);
      case PoolEvent.WatchesLive w -> Decision.of(state);
      case PoolEvent.TimerDue t -> Decision.of(state);
      case PoolEvent.Stop s -> Decision.of(state);
    };
  }

  private static Decision<PoolState, PoolEffect> finish(
      PoolState state, Phase.Ending ending, Function<Phase.Stopping, PermitResult> result) {
    PoolState finished = state.with(ending.finish());
    return ending instanceof Phase.Stopping stopping
        ? Decision.of(
            finished, new PoolEffect.ReturnPermit(stopping.permit(), result.apply(stopping)))
        : Decision.of(finished);
  }
}
