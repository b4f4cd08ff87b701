package io.poolkeeper.lock;

import java.time.Instant;
import java.util.Optional;

/** How it stands with the Lease, as a level for the turnstile. Times are monotonic. */
public sealed interface LeaseStanding {
  /**
   * It is ours: turns may be granted.
   *
   * @param session numbered from 1
   * @param until members are granted none from then on; earlier if the cloud provider waits
   * @param tail no turn that is granted from then on keeps it
   * @param over no write begins under it from then on, and no turn is granted
   */
  record Held(long session, Instant until, Instant tail, Instant over) implements LeaseStanding {}

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

  /**
   * The API server does not answer, or refuses.
   *
   * @param since the first call in a row that failed
   * @param busyUntil when somebody else's expires who was seen to hold it last
   */
  record Unreachable(String error, Instant since, Optional<Instant> busyUntil)
      implements LeaseStanding {}
}
