package io.poolkeeper.ratelimit;

import java.time.Instant;

/** The answers to a request for a turn. */
public sealed interface TurnAnswer {
  /**
   * The load balancer is the requester's until it returns the turn, or until the deadline.
   *
   * @param evenIfUpdating whether to write although another write of the pool may be in flight, as
   *     that was waited for long enough: ARM decides
   */
  record Granted(long turn, Instant deadline, boolean evenIfUpdating) implements TurnAnswer {}

  /**
   * The deadline of the turn is earlier: no write may begin any more. The answer may cross the
   * return of the turn, so it grants nothing.
   */
  record Recalled(long turn, Instant deadline) implements TurnAnswer {}
}
