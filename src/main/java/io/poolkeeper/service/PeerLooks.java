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
 * that, or while GETs are under way, one listing serves all.
 *
 * @param written the Services whose pools are to be looked at; by the next listing, whatever its
 *     cause, if there is no time when
 * @param looking those whose pools are looked at by GET now
 * @param gets these pools; empty if no round of GETs is asked for or under way
 * @param listing the Services that the listing under way serves
 * @param due when
 * @param again how often in a row pools were found being written
 */
record PeerLooks(
    Set<ServiceKey> written,
    Set<ServiceKey> looking,
    List<PoolId> gets,
    Set<ServiceKey> listing,
    Optional<Instant> due,
    int again) {
  static final PeerLooks NONE =
      new PeerLooks(Set.of(), Set.of(), List.of(), Set.of(), Optional.empty(), 0);
  static final int MOST_AGAIN = 5;

  /** A GET is a read token each, and a listing one for each page. */
  static final int MOST_GETS = 8;

  private static final Duration DEBOUNCE = Duration.ofSeconds(1);
  private static final Duration DISTANCE = Duration.ofSeconds(2);

  PeerLooks {
    written = Set.copyOf(written);
    looking = Set.copyOf(looking);
    gets = List.copyOf(gets);
    listing = Set.copyOf(listing);
    if (gets.size() > MOST_GETS) {
      throw new IllegalArgumentException(gets.size() + " GETs, allowed are " + MOST_GETS);
    }
  }

  /** The cloud provider has written the pools of a Service. */
  PeerLooks wrote(ServiceKey service, Instant now, Optional<Instant> lastStart) {
    Optional<Instant> first = due.or(() -> Optional.of(at(now, DEBOUNCE, lastStart)));
    return new PeerLooks(both(written, Set.of(service)), looking, gets, listing, first, 0);
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

  /** Only a listing can serve what is due, and one is under way that began before. */
  PeerLooks later(Instant now) {
    return new PeerLooks(written, looking, gets, listing, Optional.of(now.plus(DISTANCE)), again);
  }

  PeerLooks by(List<PoolId> pools) {
    return new PeerLooks(Set.of(), written, pools, listing, Optional.empty(), again);
  }

  /** A listing starts; it serves what is due by now, whatever its cause. */
  PeerLooks started(Instant now) {
    return due.filter(at -> at.isAfter(now)).isPresent()
        ? this
        : new PeerLooks(Set.of(), looking, gets, written, Optional.empty(), again);
  }

  /** The GETs have ended, at least one in vain: a listing is to serve. */
  PeerLooks lookFailed() {
    return new PeerLooks(both(written, looking), Set.of(), List.of(), listing, due, again);
  }

  /** The listing has failed: another is to serve. */
  PeerLooks listingFailed() {
    return new PeerLooks(both(written, listing), looking, gets, Set.of(), due, again);
  }

  /**
   * The GETs have ended.
   *
   * @param updating those of the Services whose pools are still being written
   */
  PeerLooks looked(Set<ServiceKey> updating, Instant now, Optional<Instant> lastStart) {
    return new PeerLooks(written, Set.of(), List.of(), listing, due, again)
        .shown(updating, now, lastStart);
  }

  /** The listing has ended; the same. */
  PeerLooks listed(Set<ServiceKey> updating, Instant now, Optional<Instant> lastStart) {
    return listing.isEmpty()
        ? this
        : new PeerLooks(written, looking, gets, Set.of(), due, again)
            .shown(updating, now, lastStart);
  }

  private PeerLooks shown(Set<ServiceKey> updating, Instant now, Optional<Instant> lastStart) {
    if (due.isPresent()) {
      // Another look is to come in any case.
      return new PeerLooks(both(written, updating), looking, gets, listing, due, again);
    }
    if (updating.isEmpty() || again >= MOST_AGAIN) {
      return new PeerLooks(written, looking, gets, listing, due, 0);
    }
    Optional<Instant> next = Optional.of(at(now, DEBOUNCE.multipliedBy(1L << again), lastStart));
    return new PeerLooks(both(written, updating), looking, gets, listing, next, again + 1);
  }
}
