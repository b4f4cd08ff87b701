package io.poolkeeper.lock;

import java.time.Instant;

/**
 * Whether this replica leads (spec 4; decision 0017). A write may begin before {@link #until} only.
 * Each write compares this time with the clock, so a process that stood still notices by itself.
 * Nothing is fenced: a write that was sent is guarded by its etag alone.
 */
public sealed interface Leadership {
  /** The end of the time in which writes may begin; monotonic. Only a leader has such a time. */
  default Instant until() {
    return Instant.MIN;
  }

  default boolean mayBegin(Instant now) {
    return now.isBefore(until());
  }

  /** Another replica leads, or none, or the leader is not known yet. */
  record Standby() implements Leadership {
    Leading lead(Instant until) {
      return new Leading(until);
    }
  }

  record Leading(Instant until) implements Leadership {
    /** The later of two renewals counts, as their answers may overtake each other. */
    Leading renewed(Instant other) {
      return other.isAfter(until) ? new Leading(other) : this;
    }
  }

  /** The lead or the election is over: the process ends, and never leads again. */
  record Over() implements Leadership {}
}
