package io.poolkeeper.lock;

import java.time.Instant;
import java.util.Optional;

/** How it stands with the Lease, as a level for the turnstile. Times are monotonic. */
public sealed interface LeaseStanding {
  /**
   * It is ours: turns may be granted.
   *
   * @param session numbered from 1
   * @param until no turn is granted from then on
   */
  record Held(long session, Instant until) implements LeaseStanding {}

  /** Nobody needs it, or it is on its way, or it is left to others for a while. */
  record Free() implements LeaseStanding {}

  /**
   * Somebody else holds it.
   *
   * @param since when that one took it, if the Lease says so
   * @param expires when it may be taken all the same
   * @param met when we found it busy first
   */
  record Busy(String holder, Optional<Instant> since, Instant expires, Instant met)
      implements LeaseStanding {}

  /** The API server does not answer, or refuses. */
  record Unreachable(String error) implements LeaseStanding {}
}
