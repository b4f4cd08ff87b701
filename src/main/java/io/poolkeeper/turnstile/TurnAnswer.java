package io.poolkeeper.turnstile;

import java.time.Instant;

/** What is answered to who asked for a turn. */
public sealed interface TurnAnswer {
  /**
   * The load balancer is yours until you return the turn, or until the deadline.
   *
   * @param evenIfUpdating another write was waited for long enough: write all the same, and let ARM
   *     decide
   */
  record Granted(long turn, Instant deadline, boolean evenIfUpdating) implements TurnAnswer {}

  /**
   * The deadline of your turn is earlier: no write may begin any more. It may cross your return, so
   * it grants nothing.
   */
  record Recalled(long turn, Instant deadline) implements TurnAnswer {}
}
