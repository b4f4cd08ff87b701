package io.poolkeeper.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The sign to all failing pools that ARM has recovered. It is sent when a failing pool recovers, or
 * when a group is listed that could not be; at once, but at most every 5 s.
 *
 * @param earliest when the failing pools may get the next sign; monotonic
 * @param wanted whether anything has recovered since the last sign
 */
record Recovery(Instant earliest, boolean wanted) {
  static final Recovery NONE = new Recovery(Instant.MIN, false);
  static final Duration ROUND = Duration.ofSeconds(5);

  /** A pool or a group has recovered. */
  Recovery wantSign() {
    return new Recovery(earliest, true);
  }

  /** The failing pools were sent the sign. */
  static Recovery sentAt(Instant now) {
    return new Recovery(now.plus(ROUND), false);
  }

  Optional<Instant> wakeAt() {
    return wanted ? Optional.of(earliest) : Optional.empty();
  }
}
