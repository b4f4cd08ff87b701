package io.poolkeeper.lock;

import java.time.Instant;
import java.util.Optional;

/**
 * The Lease as it was read or written. Times are monotonic.
 *
 * @param version grows with each change of any object of the API server; 0 if the Lease was not
 *     found and never seen
 * @param holder empty if nobody holds the Lease, or if there is none
 */
public record LeaseView(long version, Optional<Holder> holder) {
  /**
   * The holder of the Lease.
   *
   * @param since when the Lease was taken, if it says so
   * @param expires from when on anybody may take it; another client's clock is trusted for that
   */
  public record Holder(String identity, Whose whose, Optional<Instant> since, Instant expires) {}

  /** The owner of a Lease. All replicas of the controller have one identity. */
  public enum Whose {
    /** This process wrote it. */
    OURS,
    /** It has our identity, but its time is not the one that this process wrote. */
    NAMESAKE,
    OTHER
  }

  boolean is(Whose whose) {
    return holder.map(found -> found.whose() == whose).orElse(false);
  }

  /** The client that must be waited for. A namesake is none: the same holder enters again. */
  Optional<Holder> busy(Instant now) {
    return holder.filter(found -> found.whose() == Whose.OTHER && now.isBefore(found.expires()));
  }
}
