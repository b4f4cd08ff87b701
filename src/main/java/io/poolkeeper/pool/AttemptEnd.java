package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ServiceEvent;
import io.poolkeeper.pool.Phase.Attempt;
import io.poolkeeper.pool.PoolState.Assigned;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How an attempt ends: quietly, as an update or as a failure; and what people are told of it, once
 * per Service that still owns the pool. The turn goes back first in every case.
 */
final class AttemptEnd {
  private AttemptEnd() {}

  /** Nothing had to be written: no event and no metric. */
  static PoolDecision quiet(PoolCore core, PoolState state, Attempt attempt, Instant now) {
    return PoolDecision.of(state, new PoolEffect.ReturnTurn(attempt.turn()))
        .then(clean(state))
        .map(clean -> core.next(clean.with(new Phase.Idle()).settled(now), now));
  }

  static PoolDecision updated(PoolCore core, PoolState state, Phase.Writing writing, Instant now) {
    Attempt attempt = writing.attempt();
    List<PoolEffect> effects = new ArrayList<>();
    effects.add(new PoolEffect.ReturnTurn(attempt.turn()));
    List<PoolEffect> told = tell(state, attempt, EventTexts::updated);
    if (!told.isEmpty()) {
      effects.addAll(told);
      effects.add(finish(attempt, Outcome.UPDATED, Optional.empty(), now));
    }
    PoolState written =
        state.seen().map(seen -> state.withSeen(seen.with(writing.edit()))).orElse(state);
    return new PoolDecision(written, effects)
        .then(clean(written))
        .map(clean -> core.next(clean.with(writing.done()).settled(now), now));
  }

  /**
   * The pool is dirty from now on. A failed repair tells people only if the error is of another
   * class than the last one.
   */
  static PoolDecision failed(PoolCore core, PoolState state, ArmFailure failure, Instant now) {
    Optional<Attempt> inFlight = attemptOf(state.phase());
    if (inFlight.isEmpty()) {
      return PoolDecision.of(state);
    }
    Attempt attempt = inFlight.get();
    if (failure.notFound()) {
      return PoolDecision.of(state, new PoolEffect.AskForListing())
          .then(quiet(core, state, attempt, now));
    }
    List<PoolEffect> effects = new ArrayList<>();
    effects.add(new PoolEffect.ReturnTurn(attempt.turn()));
    boolean repeated = state.trouble().map(last -> sameClass(last, failure)).orElse(false);
    List<PoolEffect> told = tell(state, attempt, service -> EventTexts.failed(service, failure));
    if (!told.isEmpty() && !(attempt.operations().isEmpty() && repeated)) {
      effects.addAll(told);
      effects.add(finish(attempt, Outcome.FAILED, Optional.of(failure), now));
    }
    if (state.trouble().isEmpty()) {
      effects.add(new PoolEffect.ReportDirty(true));
    }
    PoolState dirty = state.withTrouble(Optional.of(failure)).with(new Phase.Failed()).settled(now);
    return new PoolDecision(core.next(dirty, now), effects);
  }

  /** The pool is known to be as wished, or nothing about it is to be done. */
  static PoolDecision clean(PoolState state) {
    return state.trouble().isEmpty()
        ? PoolDecision.of(state)
        : PoolDecision.of(state.withTrouble(Optional.empty()), new PoolEffect.ReportDirty(false));
  }

  private static Optional<Attempt> attemptOf(Phase phase) {
    return switch (phase) {
      case Phase.Reading reading -> Optional.of(reading.attempt());
      case Phase.Writing writing -> Optional.of(writing.attempt());
      case Phase.Resting r -> Optional.empty();
      case Phase.Gathering g -> Optional.empty();
      case Phase.Waiting w -> Optional.empty();
      case Phase.Stopped s -> Optional.empty();
    };
  }

  private static boolean sameClass(ArmFailure one, ArmFailure other) {
    return one.kind() == other.kind()
        && one.status() == other.status()
        && one.code().equals(other.code());
  }

  /**
   * Tells the Services that the attempt was made for and that still own the pool. An attempt
   * without operations is a repair: it concerns every Service of the pool. What concerns nobody any
   * more is not counted either (spec 1, Metrics). A PUT concerns nobody whose rule its GET did not
   * show.
   */
  private static List<PoolEffect> tell(
      PoolState state, Attempt attempt, Function<Assigned, ServiceEvent> text) {
    Stream<Assigned> services =
        attempt.operations().isEmpty()
            ? state.assigned().values().stream()
            : attempt.operations().stream()
                .filter(state::relevant)
                .flatMap(
                    operation ->
                        Optional.ofNullable(state.assigned().get(operation.service())).stream());
    Stream<Assigned> concerned =
        state.phase() instanceof Phase.Writing writing
            ? services.filter(s -> writing.owners().contains(s.assignment().service()))
            : services;
    return concerned.map(text).<PoolEffect>map(PoolEffect.Emit::new).toList();
  }

  private static PoolEffect finish(
      Attempt attempt, Outcome outcome, Optional<ArmFailure> failure, Instant now) {
    Duration took = Duration.between(attempt.startedAt(), now);
    return new PoolEffect.Finish(outcome, failure, took);
  }
}
