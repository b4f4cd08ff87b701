package io.poolkeeper.service;

import static io.poolkeeper.service.ListingCause.ASKED;
import static io.poolkeeper.service.ListingCause.LOOK;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePSet;

/**
 * The list of due looks: when, and for which cause. Each cause occurs once at most, but {@link
 * ListingCause#LOOK}.
 *
 * @param lastStart the start of the last listing
 * @param lastLook the last listing for a look
 */
record DueLooks(
    HashPMap<ListingCause, TreePSet<Instant>> all,
    Optional<Instant> lastStart,
    Optional<Instant> lastLook) {
  static final DueLooks NONE =
      new DueLooks(HashTreePMap.empty(), Optional.empty(), Optional.empty());

  /** The distance between two listings for looks. */
  static final Duration DISTANCE = Duration.ofSeconds(30);

  boolean has(ListingCause cause) {
    return all.containsKey(cause);
  }

  Optional<Instant> first(ListingCause cause) {
    Optional<Instant> first = Optional.ofNullable(all.get(cause)).map(TreePSet::first);
    return cause == LOOK && lastLook.isPresent()
        ? first.map(at -> later(at, lastLook.get().plus(DISTANCE)))
        : first;
  }

  boolean isDue(ListingCause cause, Instant now) {
    return first(cause).filter(at -> !at.isAfter(now)).isPresent();
  }

  /** The causes of all looks that are due, the most urgent first. */
  Stream<ListingCause> due(Instant now) {
    return Stream.of(ListingCause.values()).filter(cause -> isDue(cause, now));
  }

  Optional<Instant> first() {
    return all.keySet().stream().flatMap(cause -> first(cause).stream()).min(Instant::compareTo);
  }

  DueLooks at(ListingCause cause, Instant time) {
    return with(all.plus(cause, TreePSet.singleton(time)));
  }

  DueLooks atMost(ListingCause cause, Instant time) {
    return first(cause).filter(time::isAfter).isPresent() ? this : at(cause, time);
  }

  DueLooks without(ListingCause cause) {
    return with(all.minus(cause));
  }

  private DueLooks with(HashPMap<ListingCause, TreePSet<Instant>> next) {
    return new DueLooks(next, lastStart, lastLook);
  }

  /** That time, but no sooner than this distance after the start of the last listing. */
  Instant apart(Instant time, Duration least) {
    return lastStart.map(last -> later(time, last.plus(least))).orElse(time);
  }

  private static Instant later(Instant one, Instant other) {
    return other.isAfter(one) ? other : one;
  }

  /**
   * One listing serves all pools, so looks are conflated: one that is due within {@link #DISTANCE}
   * after another is served by it or follows it at that distance. Nothing puts off a look that is
   * due.
   */
  DueLooks looks(Stream<Instant> wanted, Instant now) {
    TreePSet<Instant> looks = all.getOrDefault(LOOK, TreePSet.empty());
    // One listing serves all looks that are overdue, however long it cannot start.
    looks = looks.minusAll(looks.headSet(now, true).stream().skip(1).toList());
    for (Instant time : wanted.toList()) {
      Instant next = looks.ceiling(time);
      Instant before = looks.lower(time);
      if (next == null || next.isAfter(time.plus(DISTANCE))) {
        looks = looks.plus(before == null ? time : later(time, before.plus(DISTANCE)));
      }
    }
    return with(all.plus(LOOK, looks));
  }

  /** A listing starts. It serves what is due by now, and all listings that were asked for. */
  DueLooks started(Instant now, ListingCause why) {
    HashPMap<ListingCause, TreePSet<Instant>> left = HashTreePMap.empty();
    for (Map.Entry<ListingCause, TreePSet<Instant>> of : all.minus(ASKED).entrySet()) {
      TreePSet<Instant> later = of.getValue().tailSet(now, false);
      left = later.isEmpty() ? left : left.plus(of.getKey(), later);
    }
    return new DueLooks(left, Optional.of(now), why == LOOK ? Optional.of(now) : lastLook);
  }
}
