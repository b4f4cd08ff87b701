package io.poolkeeper.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When pools are looked at because nodes are out of service (architecture, When load balancers are
 * listed): at once when others are, a second after admin states were written, to see them, and
 * every 15 s for 5 min after that, then at a distance that doubles to 2 min, as another writer may
 * revert them.
 *
 * @param due when; empty if never
 * @param since when nodes or states changed last
 * @param leaving whether any node is out of service
 * @param distance between the looks that nothing asks for
 */
record DrainLooks(
    Optional<Instant> due, Optional<Instant> since, boolean leaving, Duration distance) {
  private static final Duration DEBOUNCE = Duration.ofSeconds(1);
  private static final Duration DISTANCE = Duration.ofSeconds(15);
  private static final Duration OFTEN = Duration.ofMinutes(5);
  private static final Duration MAX_DISTANCE = Duration.ofMinutes(2);

  static final DrainLooks NONE =
      new DrainLooks(Optional.empty(), Optional.empty(), false, DISTANCE);

  /** Other nodes are out of service than before. */
  DrainLooks changed(boolean anyLeaving, Instant now, Optional<Instant> lastStart) {
    return new DrainLooks(Optional.of(at(now, lastStart)), Optional.of(now), anyLeaving, DISTANCE);
  }

  /** A pool has written admin states. */
  DrainLooks wrote(Instant now, Optional<Instant> lastStart) {
    Instant soon = at(now.plus(DEBOUNCE), lastStart);
    Instant first = due.filter(at -> at.isAfter(now) && at.isBefore(soon)).orElse(soon);
    return new DrainLooks(Optional.of(first), Optional.of(now), leaving, DISTANCE);
  }

  private static Instant at(Instant wanted, Optional<Instant> lastStart) {
    return lastStart
        .map(last -> last.plus(DEBOUNCE))
        .filter(apart -> apart.isAfter(wanted))
        .orElse(wanted);
  }

  /** A listing starts; it serves what is due by now, whatever its cause. */
  DrainLooks started(Instant now) {
    if (due.filter(at -> !at.isAfter(now)).isEmpty()) {
      return this;
    }
    boolean often = since.filter(at -> now.isBefore(at.plus(OFTEN))).isPresent();
    Duration twice = distance.multipliedBy(2);
    Duration rare = twice.compareTo(MAX_DISTANCE) < 0 ? twice : MAX_DISTANCE;
    Duration next = often ? DISTANCE : rare;
    return new DrainLooks(Optional.of(now.plus(next)).filter(any -> leaving), since, leaving, next);
  }
}
