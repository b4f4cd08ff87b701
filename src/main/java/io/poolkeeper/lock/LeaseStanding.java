package io.poolkeeper.lock;

import java.time.Instant;
import java.util.Optional;

/** The state of the Lease, as a level for the rate limiter. Times are monotonic. */
public sealed interface LeaseStanding {
  /**
   * The Lease is ours: permits may be granted.
   *
   * @param session numbered from 1
   * @param until the end of permits for members; earlier if the cloud provider waits
   * @param tail from then on no granted permit extends the session
   * @param over from then on no write begins under the Lease, and no permit is granted
   */
  record Held(long session, Instant until, Instant tail, Instant over) implements LeaseStanding {}

  /** Nobody needs the Lease, it is being taken, or it is left to others for a while. */
  record Free() implements LeaseStanding {}

  /**
   * Another client holds the Lease.
   *
   * @param since when that client took it, if the Lease says so
   * @param expires when others may take the Lease all the same
   * @param met when we first found the Lease busy
   */
  record Busy(String holder, Optional<Instant> since, Instant expires, Instant met)
      implements LeaseStanding {}

  /**
   * The API server does not answer, or refuses.
   *
   * @param since the first failure in a row
   * @param busyUntil when the Lease of the last known other holder expires
   */
  record Unreachable(String error, Instant since, Optional<Instant> busyUntil)
      implements LeaseStanding {}
}
