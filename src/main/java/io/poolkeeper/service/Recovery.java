package io.poolkeeper.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A failing pool recovered, or a group that could not be listed was: a sign to all failing pools
 * that ARM has recovered. They get it at once, but at most every 5 s: not from each pool that
 * recovers.
 *
 * @param earliest when they may get the next sign; monotonic
 * @param wanted whether there was such a sign since the last one
 */
record Recovery(Instant earliest, boolean wanted) {
  static final Recovery NONE = new Recovery(Instant.MIN, false);
  static final Duration ROUND = Duration.ofSeconds(5);

  /** A pool or a group has recovered. */
  Recovery signed() {
    return new Recovery(earliest, true);
  }

  /** The failing pools have got the sign. */
  Recovery heard(Instant now) {
    return new Recovery(now.plus(ROUND), false);
  }

  Optional<Instant> wakeAt() {
    return Optional.of(earliest).filter(any -> wanted);
  }
}
