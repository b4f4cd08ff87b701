package io.poolkeeper.ratelimit;

import java.time.Instant;

/** The answers to a request for a permit. */
public sealed interface PermitAnswer {
  /**
   * The load balancer is the requester's until it returns the permit, or until the deadline.
   *
   * @param evenIfUpdating whether to write although another write of the pool may be in flight, as
   *     that was waited for long enough: ARM decides
   */
  record Granted(long permit, Instant deadline, boolean evenIfUpdating) implements PermitAnswer {}

  /**
   * The deadline of the permit is earlier: no write may begin any more. The answer may cross the
   * return of the permit, so it grants nothing.
   */
  record Recalled(long permit, Instant deadline) implements PermitAnswer {}
}
