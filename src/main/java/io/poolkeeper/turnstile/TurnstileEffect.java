package io.poolkeeper.turnstile;

import java.time.Duration;

/** What the turnstile asks its actor to do. */
public sealed interface TurnstileEffect {
  /**
   * The turn is the visitor's.
   *
   * @param evenIfUpdating the load balancer has been waited for long enough: write, and let ARM
   *     decide
   * @param waited since it was asked for
   */
  record Grant(Visitor visitor, long turn, Lane lane, boolean evenIfUpdating, Duration waited)
      implements TurnstileEffect {}

  /** The listing may begin. */
  record GrantListing() implements TurnstileEffect {}

  /** A turn was not given back in time; what its holder does with it no longer counts. */
  record TurnLost(Visitor visitor, long turn) implements TurnstileEffect {}
}
