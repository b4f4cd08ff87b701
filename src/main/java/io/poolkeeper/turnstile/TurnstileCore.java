package io.poolkeeper.turnstile;

import java.time.Instant;

/**
 * The policy of admission to ARM (spec 3, "decide, schedule, admit"; architecture, section 5): who
 * of those who want to, and may by their own rules, may talk to which load balancer now.
 */
public record TurnstileCore(TurnstileLimits limits) {
  public TurnstileState initial(Instant now) {
    return TurnstileState.initial(limits, now);
  }

  public TurnstileDecision decide(TurnstileState state, TurnstileEvent event, Instant now) {
    TurnstileStep step = new TurnstileStep(limits, state, now);
    switch (event) {
      case TurnstileEvent.Requested requested ->
          step.request(requested.visitor(), requested.lane());
      case TurnstileEvent.Cancelled cancelled -> step.cancel(cancelled.visitor());
      case TurnstileEvent.Returned back -> step.giveBack(back);
      case TurnstileEvent.HolderGone gone -> step.lose(gone.visitor());
      case TurnstileEvent.ListingRequested listing -> step.requestListing();
      case TurnstileEvent.Sent sent -> step.sent(sent.write());
      case TurnstileEvent.Throttled throttled -> step.throttle(throttled);
      case TurnstileEvent.TimerDue due -> {}
    }
    return step.decision();
  }
}
