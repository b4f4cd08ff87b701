package io.poolkeeper.turnstile;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The policy of admission to ARM (spec 3, "decide, schedule, admit"; architecture, The turnstile):
 * which of the requesting pools may call ARM for which load balancer now.
 */
public record TurnstileCore(TurnstileLimits limits)
    implements Core<TurnstileState, TurnstileEvent, TurnstileEffect> {
  /** Deterministic: {@code random} is not used. */
  @Override
  public Decision<TurnstileState, TurnstileEffect> decide(
      TurnstileState state, TurnstileEvent event, Instant now, RandomGenerator random) {
    TurnstileStep step = new TurnstileStep(limits, state, now);
    step.catchUp();
    switch (event) {
      case TurnstileEvent.Requested requested ->
          step.request(requested.requester(), requested.priority());
      case TurnstileEvent.Cancelled cancelled -> step.cancel(cancelled.requester());
      case TurnstileEvent.Returned back -> step.giveBack(back);
      case TurnstileEvent.HolderGone gone -> step.lose(gone.requester());
      case TurnstileEvent.Looked looked -> step.looked(looked);
      case TurnstileEvent.ReadRequested read -> step.requestRead(read.reader());
      case TurnstileEvent.Sent sent -> step.sent(sent.write());
      case TurnstileEvent.Writes writes -> step.writes(writes.loadBalancer());
      case TurnstileEvent.Accepted accepted -> step.accepted(accepted.loadBalancer());
      case TurnstileEvent.Throttled throttled -> step.throttle(throttled);
      case TurnstileEvent.LeaseNeeded needed -> step.needLease(needed.terms());
      case TurnstileEvent.LeaseStands stands -> step.leaseStands(stands.standing());
      case TurnstileEvent.TimerDue due -> {}
    }
    return step.decision();
  }

  @Override
  public Optional<Instant> wakeAt(TurnstileState state) {
    Admission admission = Admission.of(limits, state, state.asOf());
    Instant next = state.reported().nextOpening(state.gates());
    if (!state.asleep().isEmpty()) {
      next = earlier(next, state.asleep().first().at());
    }
    if (!state.out().isEmpty()) {
      next = earlier(next, state.deadline(state.out().firstEntry().getValue(), limits));
    }
    if (state.looks().inFlight().size() < limits.maxInFlight()) {
      Instant allowed = admission.mayReadFrom();
      Instant first = state.looks().first();
      next = earlier(next, first.isAfter(allowed) ? first : allowed);
    }
    if (!state.readers().isEmpty()) {
      next = earlier(next, admission.mayReadFrom());
    }
    next = earlier(next, state.lease().endsAt());
    for (Lane lane : Lane.values()) {
      next = earlier(next, admission.lookFrom(lane, state.lanes(), state.lease()));
    }
    return Optional.of(next).filter(Instant.MAX::isAfter);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
