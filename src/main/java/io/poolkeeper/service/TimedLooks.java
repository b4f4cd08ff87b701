package io.poolkeeper.service;

import io.poolkeeper.pool.PoolLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * When pools are looked at once more after a write, or after a change that needed none: the cloud
 * provider's updater may act on the same change later, and wrongly (architecture, When load
 * balancers are listed). One listing serves all pools, so looks are conflated: one that is due
 * within {@link #DISTANCE} after another is served by it or follows it at that distance. Nothing
 * puts off a look that is due. Bounded: there are at most two looks in any {@link #DISTANCE}.
 *
 * @param after how long after the change the first look comes; zero if none ever does
 * @param due when listings are to start, at the earliest
 * @param last when the last one was started
 */
record TimedLooks(Duration after, NavigableSet<Instant> due, Optional<Instant> last) {
  static final Duration DISTANCE = Duration.ofSeconds(30);

  TimedLooks {
    due = Collections.unmodifiableNavigableSet(new TreeSet<>(due));
    long most = 2 * (after.plus(PoolLimits.LOOKS.getLast()).dividedBy(DISTANCE) + 2);
    if (due.size() > most) {
      throw new IllegalStateException(due.size() + " looks are due, at most " + most + " may be");
    }
  }

  static TimedLooks none(Duration after) {
    return new TimedLooks(after, new TreeSet<>(), Optional.empty());
  }

  /** A pool is as it should be since now, as far as is known. */
  TimedLooks wanted(Instant now) {
    if (after.isZero()) {
      return this;
    }
    NavigableSet<Instant> all = new TreeSet<>(due);
    // One listing serves all that are overdue, however long it cannot start.
    all.headSet(now, true).stream().skip(1).toList().forEach(all::remove);
    PoolLimits.LOOKS.forEach(later -> add(all, now.plus(after).plus(later)));
    return new TimedLooks(after, all, last);
  }

  private static void add(NavigableSet<Instant> all, Instant wanted) {
    Instant next = all.ceiling(wanted);
    if (next != null && !next.isAfter(wanted.plus(DISTANCE))) {
      return;
    }
    Instant before = all.lower(wanted);
    Instant apart = before == null ? wanted : before.plus(DISTANCE);
    all.add(apart.isAfter(wanted) ? apart : wanted);
  }

  Optional<Instant> next() {
    if (due.isEmpty()) {
      return Optional.empty();
    }
    Instant first = due.first();
    return last.map(before -> before.plus(DISTANCE))
        .filter(apart -> apart.isAfter(first))
        .or(() -> Optional.of(first));
  }

  /** A listing starts; it serves what is due by now, whatever its cause. */
  TimedLooks started(Instant now, ListingCause cause) {
    return new TimedLooks(
        after, due.tailSet(now, false), cause == ListingCause.LOOK ? Optional.of(now) : last);
  }
}
