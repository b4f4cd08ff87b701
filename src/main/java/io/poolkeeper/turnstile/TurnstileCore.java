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
    step.catchUp(state);
    step.take(event);
    return step.decision();
  }

  @Override
  public Optional<Instant> wakeAt(TurnstileState state) {
    return state.wakeAt();
  }
}
