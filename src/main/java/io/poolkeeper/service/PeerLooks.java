package io.poolkeeper.service;

import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * When pools are looked at because the cloud provider says that it has written them: a second
 * later, as it seldom writes one only, and at least two seconds after the start of the listing
 * before. Its word may come before its operation has ended: pools that are still being written are
 * looked at again, after a second, doubling, {@value #MOST_AGAIN} times at most.
 *
 * @param written the Services whose pools are to be looked at
 * @param due when
 * @param again how often in a row pools were found being written
 */
record PeerLooks(Set<ServiceKey> written, Optional<Instant> due, int again) {
  static final PeerLooks NONE = new PeerLooks(Set.of(), Optional.empty(), 0);
  static final int MOST_AGAIN = 5;

  private static final Duration DEBOUNCE = Duration.ofSeconds(1);
  private static final Duration DISTANCE = Duration.ofSeconds(2);

  PeerLooks {
    written = Set.copyOf(written);
  }

  /** The cloud provider has written the pools of a Service. */
  PeerLooks wrote(ServiceKey service, Instant now, Optional<Instant> lastStart) {
    Set<ServiceKey> all = new HashSet<>(written);
    all.add(service);
    return new PeerLooks(all, due.or(() -> Optional.of(at(now, DEBOUNCE, lastStart))), 0);
  }

  private static Instant at(Instant now, Duration wait, Optional<Instant> lastStart) {
    Instant soon = now.plus(wait);
    return lastStart.map(last -> last.plus(DISTANCE)).filter(at -> at.isAfter(soon)).orElse(soon);
  }

  PeerLooks started(Instant now) {
    return new PeerLooks(written, due.filter(at -> at.isAfter(now)), again);
  }

  /**
   * A listing has ended.
   *
   * @param updating those of the Services whose pools are still being written
   */
  PeerLooks shown(Set<ServiceKey> updating, Instant now, Optional<Instant> lastStart) {
    if (due.isPresent()) {
      // Another look is to come in any case.
      return this;
    }
    if (updating.isEmpty() || again >= MOST_AGAIN) {
      return NONE;
    }
    Duration wait = DEBOUNCE.multipliedBy(1L << again);
    return new PeerLooks(updating, Optional.of(at(now, wait, lastStart)), again + 1);
  }
}
