package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * When pools are looked at because the cloud provider says that it has written them: a second
 * later, as it seldom writes one only, and at least two seconds after the start of the listing
 * before. Its word may come before its operation has ended: pools that are still being written are
 * looked at again, after a second, doubling, {@value #MOST_AGAIN} times at most. Up to {@value
 * #MOST_GETS} pools are looked at by GET, no sooner than a second after the GETs before; beyond
 * that one listing serves all.
 *
 * @param written the Services whose pools are to be looked at
 * @param looking those whose pools are being looked at, or were in vain
 * @param gets the pools that are looked at by GET; empty if a listing serves
 * @param due when
 * @param again how often in a row pools were found being written
 */
record PeerLooks(
    Set<ServiceKey> written,
    Set<ServiceKey> looking,
    List<PoolId> gets,
    Optional<Instant> due,
    int again) {
  static final PeerLooks NONE = new PeerLooks(Set.of(), Set.of(), List.of(), Optional.empty(), 0);
  static final int MOST_AGAIN = 5;

  /** A GET is a read token each, and a listing one for each page. */
  static final int MOST_GETS = 8;

  private static final Duration DEBOUNCE = Duration.ofSeconds(1);
  private static final Duration DISTANCE = Duration.ofSeconds(2);

  PeerLooks {
    written = Set.copyOf(written);
    looking = Set.copyOf(looking);
    gets = List.copyOf(gets);
    if (gets.size() > MOST_GETS) {
      throw new IllegalArgumentException(gets.size() + " GETs, allowed are " + MOST_GETS);
    }
  }

  /** The cloud provider has written the pools of a Service. */
  PeerLooks wrote(ServiceKey service, Instant now, Optional<Instant> lastStart) {
    Optional<Instant> first = due.or(() -> Optional.of(at(now, DEBOUNCE, lastStart)));
    return new PeerLooks(both(written, Set.of(service)), looking, gets, first, 0);
  }

  private static Instant at(Instant now, Duration wait, Optional<Instant> lastStart) {
    Instant soon = now.plus(wait);
    return lastStart.map(last -> last.plus(DISTANCE)).filter(at -> at.isAfter(soon)).orElse(soon);
  }

  private static Set<ServiceKey> both(Set<ServiceKey> some, Set<ServiceKey> others) {
    Set<ServiceKey> all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }

  /** A listing starts; it serves what is due by now, whatever its cause. */
  PeerLooks started(Instant now) {
    return due.filter(at -> !at.isAfter(now)).isPresent()
        ? new PeerLooks(Set.of(), both(looking, written), List.of(), Optional.empty(), again)
        : this;
  }

  /** These GETs start instead of a listing; none if they have failed, and a listing is to serve. */
  PeerLooks by(List<PoolId> pools) {
    return new PeerLooks(written, looking, pools, due, again);
  }

  /**
   * A look has ended.
   *
   * @param updating those of the Services whose pools are still being written
   */
  PeerLooks shown(Set<ServiceKey> updating, Instant now, Optional<Instant> lastStart) {
    if (due.isPresent()) {
      // Another look is to come in any case.
      return new PeerLooks(both(written, updating), Set.of(), List.of(), due, again);
    }
    if (updating.isEmpty() || again >= MOST_AGAIN) {
      return NONE;
    }
    Instant later = at(now, DEBOUNCE.multipliedBy(1L << again), lastStart);
    return new PeerLooks(updating, Set.of(), List.of(), Optional.of(later), again + 1);
  }
}
