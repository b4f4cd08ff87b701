package io.poolkeeper.simulation;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.model.ServiceEvent;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Outcome;
import io.poolkeeper.pool.Phase;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolState;
import io.poolkeeper.pool.UpdateQueue;
import io.poolkeeper.simulation.PoolBooks.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The part of the checker that looks at what a pool decides: nothing is lost, everything is
 * bounded, and what people are told is true, once, and about those whom it concerns.
 */
final class Promises {
  private final Timeline time;
  private final Swarm swarm;
  private final Checker checker;
  private final Trace trace;

  Promises(Timeline time, Swarm swarm, Checker checker, Trace trace) {
    this.time = time;
    this.swarm = swarm;
    this.checker = checker;
    this.trace = trace;
  }

  /** A pool has decided something, and nothing of it is done yet. */
  void decided(
      PoolCell cell, PoolEvent event, PoolState before, Decision<PoolState, PoolEffect> decision) {
    Optional<Attempt> attempt = checker.attempt(cell);
    checker.of(cell).repairing =
        before.phase() instanceof Phase.Attempting under && under.attempt().operations().isEmpty();
    Set<String> tellings = new HashSet<>();
    Set<Outcome> told = EnumSet.noneOf(Outcome.class);
    Set<Outcome> counted = EnumSet.noneOf(Outcome.class);
    for (PoolEffect effect : decision.effects()) {
      if (effect instanceof PoolEffect.Emit emit) {
        ServiceEvent about = emit.event();
        checker.check(
            tellings.add(about.service() + " " + about.reason()),
            cell,
            "tells twice of one outcome: " + about);
        checker.check(
            !about.reason().endsWith("Retrying") || event instanceof PoolEvent.AttemptFailed,
            cell,
            "tells of a retry without a failure");
        outcome(about).ifPresent(told::add);
        if (about.reason().endsWith("Updated")) {
          attempt.ifPresentOrElse(
              found -> updated(found, about),
              () -> checker.violated(cell.name + ": tells of an update without a turn"));
        }
      }
      if (effect instanceof PoolEffect.Finish finish) {
        checker.check(counted.add(finish.outcome()), cell, "counts one outcome twice");
        took(cell, attempt, finish.took());
      }
      if (effect instanceof PoolEffect.Retry retry) {
        reason(cell, retry.reason());
      }
      if (effect instanceof PoolEffect.RequestTurn) {
        parked(cell, before);
      }
    }
    checker.check(told.equals(counted), cell, "tells " + told + " and counts " + counted);
    if (event instanceof PoolEvent.AttemptFailed failed) {
      checker.of(cell).failure = Optional.of(failed.failure());
    }
    if (before.phase() instanceof Phase.Attempting under
        && !(decision.state().phase() instanceof Phase.Attempting)) {
      kept(cell, event, under.attempt(), without(under), decision.state());
    }
    decision.state().queue().operations().stream()
        .map(operation -> operation.service())
        .distinct()
        .forEach(service -> bounded(cell, decision.state(), service));
  }

  private static Optional<Outcome> outcome(ServiceEvent event) {
    if (event.reason().endsWith("Retrying")) {
      return Optional.empty();
    }
    boolean failed = event.reason().endsWith("Failed");
    return Optional.of(failed ? Outcome.FAILED : Outcome.UPDATED);
  }

  /** An attempt begins after its turn was granted, and ends now. */
  private void took(PoolCell cell, Optional<Attempt> attempt, Duration took) {
    Instant granted = attempt.map(found -> found.grantedAt).orElse(time.now());
    boolean possible =
        !took.isNegative() && took.compareTo(Duration.between(granted, time.now())) <= 0;
    checker.check(possible, cell, "counts " + took + " for an attempt granted at " + granted);
  }

  /** Why an attempt is made again is what the last one met, or that nothing of it is known. */
  private void reason(PoolCell cell, RetryReason reason) {
    Optional<RetryReason> last = checker.of(cell).failure.map(ArmFailure::reason);
    checker.check(
        reason == RetryReason.DRIFT || last.equals(Optional.of(reason)),
        cell,
        "counts a retry because of " + reason + ", and met " + last);
  }

  /** What an attempt took and did not bring to an end is queued again, one retry the poorer. */
  private void kept(
      PoolCell cell,
      PoolEvent event,
      Phase.Attempt attempt,
      Set<ServiceKey> without,
      PoolState after) {
    boolean failed = event instanceof PoolEvent.AttemptFailed failure && mayPass(failure.failure());
    boolean othersWrite =
        event instanceof PoolEvent.ReadDone read
            && read.document().view().updating()
            && !attempt.evenIfUpdating();
    if ((!failed && !othersWrite) || after.phase() instanceof Phase.Ending) {
      return;
    }
    int cost = failed ? 1 : 0;
    for (UpdateQueue.Operation operation : attempt.operations()) {
      Told owner = checker.of(cell).told.get(operation.service());
      boolean relevant =
          owner != null
              && !without.contains(operation.service())
              && owner.assignment.number() == operation.assignment()
              && operation.retryCount() + cost <= swarm.maxRetries();
      boolean queued =
          after.queue().operations().stream()
              .anyMatch(
                  one ->
                      one.service().equals(operation.service())
                          && (one.retryCount() == operation.retryCount() + cost));
      checker.check(!relevant || queued, cell, "loses " + operation);
    }
  }

  /** Services whose rule a PUT did not find in the pool: it was not about them. */
  private static Set<ServiceKey> without(Phase.Attempting phase) {
    Set<ServiceKey> without = new HashSet<>();
    if (phase instanceof Phase.Writing writing) {
      writing.attempt().operations().forEach(operation -> without.add(operation.service()));
      without.removeAll(writing.owners());
    }
    return without;
  }

  private static boolean mayPass(ArmFailure failure) {
    return switch (failure.kind()) {
      case THROTTLED, TRANSPORT, CANCELED, UNRESOLVED -> true;
      case RESPONSE -> failure.status() == 409 || failure.status() == 412;
      case OPERATION, UNTRUSTED, MALFORMED, AUTHENTICATION, SHUTDOWN, OTHER -> false;
    };
  }

  private void parked(PoolCell cell, PoolState state) {
    state
        .queue()
        .parkedUntil(time.now())
        .ifPresent(
            until ->
                checker.violated(cell.name + ": asks for a turn though parked until " + until));
  }

  private void bounded(PoolCell cell, PoolState state, ServiceKey service) {
    long queued =
        state.queue().operations().stream().filter(op -> op.service().equals(service)).count();
    checker.check(queued <= swarm.maxRetries() + 1L, cell, queued + " operations of " + service);
    if (queued == swarm.maxRetries() + 1L && queued > 1) {
      checker.mark(Mark.QUEUE_BOUND_REACHED);
    }
  }

  void told(PoolCell cell, ServiceEvent event) {
    trace.say(
        "%s tells %s %s: %s"
            .formatted(cell.name, event.service(), event.reason(), event.message()));
    PoolBooks known = checker.of(cell);
    checker.check(!known.stopped, cell, "tells something after its end has begun");
    Told about = known.told.get(event.service());
    checker.check(
        about != null && about.assignment.uid().equals(event.uid()),
        cell,
        "tells a Service that does not own the pool: " + event);
    Told owner = Objects.requireNonNull(about);
    if (known.repairing) {
      checker.check(
          !event.message().contains("after " + swarm.maxRetries() + " retries"),
          cell,
          "gives up a repair after retries that it never made");
      return;
    }
    if (event.reason().endsWith("Retrying")) {
      owner.retrying++;
      owner.retryingSinceChange++;
      checker.check(
          owner.retryingSinceChange <= swarm.maxRetries(),
          cell,
          "retries a change more often than allowed");
    } else if (event.reason().endsWith("Failed")) {
      if (event.message().contains("after " + swarm.maxRetries() + " retries")) {
        checker.mark(Mark.RETRIES_EXHAUSTED);
        checker.check(
            owner.retrying >= swarm.maxRetries(),
            cell,
            "gives up after " + owner.retrying + " retries that were told");
      }
    }
  }

  /** An Updated event is about the attempt that ends with it. */
  private void updated(Attempt attempt, ServiceEvent event) {
    checker.check(
        attempt.lied || attempt.had(event.service()),
        attempt.cell,
        "tells of an update that ARM never had: %s, had %s, wished %s"
            .formatted(event.service(), attempt.contents, attempt.wishes));
  }
}
