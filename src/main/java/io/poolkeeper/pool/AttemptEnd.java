package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Phase.Attempt;
import io.poolkeeper.pool.Phase.Attempting;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The end of an attempt, and its reports: once per Service and outcome, and only about Services
 * that still own the pool (spec 1, Event Behavior and Metrics). The permit is returned first,
 * unless a GET under it is to confirm admin states. User documentation: docs/topics/multislb.md.
 */
final class AttemptEnd {
  private final PoolLimits limits;
  private final PoolState state;
  private final Attempting phase;
  private final Instant now;
  private final RandomGenerator random;
  private final List<PoolEffect> effects = new ArrayList<>();

  private History history;
  private Drain drain;

  /** The changes that the attempt took, as far as their Services still own the pool. */
  private final List<Operation> changes;

  AttemptEnd(
      PoolLimits limits, PoolState state, Attempting phase, Instant now, RandomGenerator random) {
    this.limits = limits;
    this.state = state;
    this.phase = phase;
    this.now = now;
    this.random = random;
    history = state.history();
    drain = state.drain();
    changes =
        attempt().operations().stream()
            .filter(state.desired()::relevant)
            .filter(change -> phase.concerns(change.service()))
            .toList();
  }

  /**
   * Nothing was written, and nothing is reported: no event and no metric. The next read is spaced
   * like a write while a deleted binding may still have entries in the pool.
   */
  Decision<PoolState, PoolEffect> endUnreported() {
    history = state.bindingLeaves() ? spaced() : history;
    return endIn(state.recovered(), PermitResult.UNCHANGED);
  }

  /**
   * Nothing had to be written, by the Services that own the pool. The write of an earlier attempt
   * that was reported as retrying may have come through, so its outcome is reported (architecture,
   * Invariants).
   */
  Decision<PoolState, PoolEffect> asDesired() {
    if (!attempt().writesMembers()) {
      return end(PermitResult.UNCHANGED);
    }
    history = history.with(history.drift().seenAsDesired(now));
    if (attempt().retried() && !limits.shadow()) {
      recordUpdated();
    }
    if (!changes.isEmpty()) {
      effects.add(new PoolEffect.Report(PoolReport.VERIFICATION_WANTED));
    }
    return endUnreported();
  }

  /** Nothing more is to be written, or may be while a watch is lost: then it is due after that. */
  Decision<PoolState, PoolEffect> end(PermitResult result) {
    return endIn(state, result);
  }

  Decision<PoolState, PoolEffect> updated(Phase.Writing writing) {
    history = history.wrote(now);
    PoolState written =
        state.observed().map(view -> state.withObserved(view.with(writing.edit()))).orElse(state);
    if (!writing.edit().adminStates().isEmpty()) {
      effects.add(new PoolEffect.Drained(writing.edit().adminStates(), took()));
    }
    drain = written.observed().map(view -> drain.written(view, now)).orElse(drain);
    effects.add(new PoolEffect.Report(PoolReport.VERIFICATION_WANTED));
    if (!attempt().writesMembers()) {
      return endIn(written, PermitResult.SUCCEEDED);
    }
    boolean members = writing.edit().changesMembers();
    history = (members ? spaced() : history).with(history.drift().repaired());
    if (members || attempt().retried()) {
      recordUpdated();
    }
    return endIn(withHeldChanges(written).recovered(), PermitResult.SUCCEEDED);
  }

  /** Changes that a hold or the brake kept from this write are queued again. */
  private PoolState withHeldChanges(PoolState written) {
    Optional<Instant> braked = state.leftovers().brakedUntil().filter(now::isBefore);
    boolean incomplete =
        (state.held() || braked.isPresent())
            && written.differsFrom(state.desired().members()).orElse(false);
    UpdateQueue queue =
        incomplete && braked.isPresent()
            ? written.queue().prepend(changes, braked.get())
            : written.queue();
    boolean repair = queue.repair() || (incomplete && (state.held() || changes.isEmpty()));
    return written.with(queue).withRepair(repair);
  }

  /** Shadow mode: the attempt ends where its PUT would begin. */
  Decision<PoolState, PoolEffect> shadowed(PoolEdit edit) {
    drain = drain.begun();
    if (!state.wouldWrite().covers(edit)) {
      effects.add(new PoolEffect.Shadowed(edit));
    }
    PoolState decided = state.with(state.wouldWrite().decided(edit, attempt()));
    if (!attempt().writesMembers()) {
      return endIn(decided, PermitResult.UNCHANGED);
    }
    history = spaced().with(history.drift().unknown());
    // A verification shows when somebody else has written the same.
    effects.add(new PoolEffect.Report(PoolReport.VERIFICATION_WANTED));
    return endIn(withHeldChanges(decided).recovered(), PermitResult.UNCHANGED);
  }

  /**
   * No write may begin now: another client's is in flight, a hold began, the brake holds all, or
   * the permit was recalled. The changes are due again at that time, and no retry is spent.
   */
  Decision<PoolState, PoolEffect> dueAgain(PermitResult result, Instant due) {
    drain = drainLater(due);
    return queuedAgain(state, result, due);
  }

  private Decision<PoolState, PoolEffect> queuedAgain(
      PoolState old, PermitResult result, Instant due) {
    boolean repairLost = attempt().isRepair() && state.desired().watchLost();
    if (!attempt().writesMembers() || state.desired().unowned() || repairLost) {
      return endIn(old, result);
    }
    PoolState waiting =
        old.with(state.queue().prepend(changes, due))
            .withRepair(state.queue().repair() || attempt().isRepair())
            .with(phase.end().gather(due));
    return endIn(waiting, result);
  }

  /**
   * The verdict decides what is reported, of members and of admin states. A failed read is spaced
   * like a write, so that reads do not become ever faster.
   */
  Decision<PoolState, PoolEffect> failed(ArmFailure failure) {
    if (failure.unsent()) {
      return dueAgain(PermitResult.UNCHANGED, now);
    }
    switch (failure.verdict()) {
      case STALE -> notFound(failure);
      case SHUTDOWN -> drain = drainLater(limits.recheck(now));
      case TERMINAL, RETRIABLE -> drainFailed(failure);
    }
    if (!attempt().writesMembers()) {
      return end(permitResult(failure));
    }
    effects.addAll(PoolEffect.Throttled.ofMembers(failure));
    history = spaced().with(history.drift().unknown());
    return switch (failure.verdict()) {
      case STALE -> rereadOrDrop(failure);
      case SHUTDOWN -> endIn(state.with(failing(failure)), permitResult(failure));
      case TERMINAL -> terminal(failure);
      case RETRIABLE -> retriable(failure);
    };
  }

  /**
   * No admin state is wrong in a pool that is not there; a listing shows whether it is. After a PUT
   * something else may be missing: the first time that is silent, too.
   */
  private void notFound(ArmFailure failure) {
    effects.add(new PoolEffect.Report(PoolReport.LISTING_WANTED));
    if (phase instanceof Phase.Reading) {
      drain = drain.begun();
      history = history.withClear(attempt().startedAt());
    } else if (drain.failures() > 0) {
      drainFailed(failure);
    } else if (undrained().isPresent()) {
      drain = drain.missed(limits.reread(now));
    }
  }

  /**
   * The pool is looked at once more, if its GET has shown it and only its PUT has not found it. A
   * repair that goes on so has a backoff, and no event.
   */
  private Decision<PoolState, PoolEffect> rereadOrDrop(ArmFailure failure) {
    if (phase instanceof Phase.Writing && attempt().isRepair()) {
      return forGood(failure);
    }
    if (phase instanceof Phase.Reading || repeats(failure)) {
      return endIn(state.recovered(), permitResult(failure));
    }
    PoolState failing = state.with(Failing.retried(state.failing(), failure));
    Instant due = PoolSchedule.writeAt(limits, failing.with(history), limits.reread(now));
    return queuedAgain(failing, permitResult(failure), due);
  }

  /**
   * The last view, if an admin state may be wrong. A failed PUT of admin states may have come
   * through; after a failed GET, that view says whether any were to be set.
   */
  private Optional<PoolView> undrained() {
    return state.observed().filter(view -> sentStates() || !drain.plan(view).isEmpty());
  }

  private boolean sentStates() {
    return phase instanceof Phase.Writing writing && !writing.edit().adminStates().isEmpty();
  }

  private Drain drainLater(Instant due) {
    return undrained().isPresent() ? drain.later(due) : drain;
  }

  private void drainFailed(ArmFailure failure) {
    Optional<PoolView> wrong = undrained();
    if (wrong.isPresent()) {
      boolean news = drain.failure().filter(failure::sameClass).isEmpty();
      effects.add(new PoolEffect.DrainFailed(failure, took(), news));
      effects.addAll(PoolEffect.Throttled.ofDrain(failure));
      // A failed GET counts for all admin states that are wanted by now.
      Drain begun = phase instanceof Phase.Writing ? drain : drain.begun();
      drain = begun.failed(failure, wrong.get(), limits, now, random);
    }
  }

  private Decision<PoolState, PoolEffect> terminal(ArmFailure failure) {
    recordFailed(services(changes), failure, service -> EventTexts.failed(service, failure));
    return forGood(failure);
  }

  private Failing failing(ArmFailure failure) {
    return Failing.failed(state.failing(), failure, limits, random);
  }

  private Decision<PoolState, PoolEffect> forGood(ArmFailure failure) {
    Failing failing = failing(failure);
    int failures = failing.failures();
    boolean reached = limits.slowestRepair(failures) && !limits.slowestRepair(failures - 1);
    if (reached && !state.desired().services().isEmpty()) {
      effects.add(new PoolEffect.RepairsSlowest(failures));
    }
    return endIn(state.with(failing), permitResult(failure));
  }

  /**
   * Every change of the attempt consumes one retry; which of them caused the failure is unknown.
   */
  private Decision<PoolState, PoolEffect> retriable(ArmFailure failure) {
    if (attempt().isRepair()) {
      return repairLater(failure);
    }
    Optional<Instant> eligible = failure.retryAfter().filter(until -> until.isAfter(now));
    List<Operation> exhausted = changes.stream().filter(change -> !mayRetry(change)).toList();
    List<Operation> requeued =
        changes.stream().filter(this::mayRetry).map(change -> change.consumed(eligible)).toList();
    record(services(requeued), service -> EventTexts.retrying(service, failure));
    int retries = exhausted.stream().mapToInt(Operation::retryCount).max().orElse(0);
    recordFailed(
        services(exhausted), failure, service -> EventTexts.exhausted(service, retries, failure));
    if (requeued.isEmpty()) {
      return forGood(failure);
    }
    int before = requeued.stream().mapToInt(Operation::retryCount).max().orElseThrow() - 1;
    UpdateQueue queue = state.queue().prepend(requeued, limits.retry(now, before, random));
    effects.add(new PoolEffect.Requeue(failure, requeued.size(), took(), !repeats(failure)));
    return endIn(
        state.with(queue).with(Failing.retried(state.failing(), failure)), permitResult(failure));
  }

  /** A repair has no retries to consume; its own timer tries again. */
  private Decision<PoolState, PoolEffect> repairLater(ArmFailure failure) {
    boolean news = !repeats(failure);
    if (news) {
      record(services(List.of()), service -> EventTexts.retrying(service, failure));
    }
    effects.add(new PoolEffect.RepairFailed(failure, took(), news));
    return forGood(failure);
  }

  private boolean mayRetry(Operation operation) {
    return operation.retryCount() < limits.maxRetries();
  }

  private PermitResult permitResult(ArmFailure failure) {
    return failure.permitResult(phase instanceof Phase.Writing);
  }

  /** The permit is returned first, if no GET under it is to show what was written. */
  private Decision<PoolState, PoolEffect> endIn(PoolState next, PermitResult result) {
    // A listing that is asked for already shows the states, too.
    boolean asked = effects.contains(new PoolEffect.Report(PoolReport.LISTING_WANTED));
    boolean unconfirmed = drain.unconfirmed() && !limits.shadow() && !asked;
    boolean mayConfirm = unconfirmed && sentStates() && result == PermitResult.SUCCEEDED;
    Optional<Instant> readBack = mayConfirm ? attempt().confirmableUntil(now) : Optional.empty();
    readBack.ifPresentOrElse(
        until -> effects.add(new PoolEffect.Read(until)),
        () -> effects.addFirst(new PoolEffect.ReturnPermit(attempt().grant().permit(), result)));
    if (unconfirmed && readBack.isEmpty()) {
      effects.add(new PoolEffect.Report(PoolReport.READ_BACK_WANTED));
    }
    PoolState rested = next.rested().with(drain).with(history);
    return new Decision<>(rested, effects)
        .then(membersShown(rested))
        .map(after -> after.with(after.history().settled(now)))
        .map(new PoolSchedule(limits, now, random)::scheduled)
        .map(after -> readBack.isPresent() ? after.with(phase.confirm(after.phase(), now)) : after);
  }

  /** The GET of an attempt that leaves the members alone shows them, too. */
  private Decision<PoolState, PoolEffect> membersShown(PoolState rested) {
    Optional<PoolView> view = rested.observed();
    return view.isEmpty() || attempt().writesMembers() || !(phase instanceof Phase.Writing)
        ? Decision.of(rested)
        : Observation.ofMembers(limits, rested, view.get(), now);
  }

  private History spaced() {
    return history.with(history.spacing().wrote(attempt(), now, limits));
  }

  private Attempt attempt() {
    return phase.attempt();
  }

  /** Each Service once. An attempt without changes concerns every Service of the pool. */
  private List<Ownership> services(Collection<Operation> operations) {
    Stream<ServiceKey> keys =
        attempt().isRepair()
            ? state.desired().services().keySet().stream().filter(phase::concerns)
            : operations.stream().map(Operation::service).distinct();
    return keys.flatMap(key -> Stream.ofNullable(state.desired().services().get(key))).toList();
  }

  private void recordUpdated() {
    List<Ownership> services = services(changes);
    record(services, EventTexts::updated);
    if (!services.isEmpty() || state.desired().leaving().isPresent()) {
      finish(new PoolEffect.Updated(took()));
    }
  }

  /** A failed repair is reported only if the error is of another class than the last one. */
  private void recordFailed(
      List<Ownership> services, ArmFailure failure, Function<Ownership, ObjectEvent> text) {
    if (state.desired().unowned() || (services.isEmpty() && !attempt().isRepair())) {
      return;
    }
    if (services.isEmpty() || (attempt().isRepair() && repeats(failure))) {
      effects.add(new PoolEffect.RepairFailed(failure, took(), !repeats(failure)));
      return;
    }
    record(services, text);
    // Giving up is reported, even if the error was reported before.
    boolean news = !repeats(failure) || state.failing().map(Failing::failures).orElse(0) == 0;
    finish(new PoolEffect.Failed(failure, took(), news));
  }

  private void finish(PoolEffect.Finish end) {
    effects.add(end);
    history = history.counted(end);
  }

  /** Whether the attempt before failed, too, and of the same class. */
  private boolean repeats(ArmFailure failure) {
    return state.failing().map(before -> before.last().sameClass(failure)).orElse(false);
  }

  private void record(List<Ownership> services, Function<Ownership, ObjectEvent> text) {
    services.stream().map(text).map(PoolEffect.Emit::new).forEach(effects::add);
  }

  private Duration took() {
    return Duration.between(attempt().startedAt(), now);
  }
}
