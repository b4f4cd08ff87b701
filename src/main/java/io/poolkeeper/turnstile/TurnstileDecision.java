package io.poolkeeper.turnstile;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What follows from one event.
 *
 * @param wakeAt when time alone may change something; empty if never
 */
public record TurnstileDecision(
    TurnstileState state, List<TurnstileEffect> effects, Optional<Instant> wakeAt) {
  public TurnstileDecision {
    effects = List.copyOf(effects);
  }
}
