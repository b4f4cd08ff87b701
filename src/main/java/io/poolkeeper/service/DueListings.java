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
 * The list of due listings: when, and for which cause. Each cause occurs once at most, but {@link
 * ListingCause#LOOK}.
 *
 * @param lastStart the start of the last listing
 * @param lastVerification the last listing for a verification
 */
record DueListings(
    HashPMap<ListingCause, TreePSet<Instant>> all,
    Optional<Instant> lastStart,
    Optional<Instant> lastVerification) {
  static final DueListings NONE =
      new DueListings(HashTreePMap.empty(), Optional.empty(), Optional.empty());

  /** The distance between two listings for verifications. */
  static final Duration DISTANCE = Duration.ofSeconds(30);

  boolean has(ListingCause cause) {
    return all.containsKey(cause);
  }

  Optional<Instant> first(ListingCause cause) {
    Optional<Instant> first = Optional.ofNullable(all.get(cause)).map(TreePSet::first);
    return cause == LOOK && lastVerification.isPresent()
        ? first.map(at -> later(at, lastVerification.get().plus(DISTANCE)))
        : first;
  }

  boolean isDue(ListingCause cause, Instant now) {
    return first(cause).filter(at -> !at.isAfter(now)).isPresent();
  }

  /** The causes of all verifications that are due, the most urgent first. */
  Stream<ListingCause> due(Instant now) {
    return Stream.of(ListingCause.values()).filter(cause -> isDue(cause, now));
  }

  Optional<Instant> first() {
    return all.keySet().stream().flatMap(cause -> first(cause).stream()).min(Instant::compareTo);
  }

  DueListings at(ListingCause cause, Instant time) {
    return with(all.plus(cause, TreePSet.singleton(time)));
  }

  DueListings atLatest(ListingCause cause, Instant time) {
    return first(cause).filter(time::isAfter).isPresent() ? this : at(cause, time);
  }

  DueListings without(ListingCause cause) {
    return with(all.minus(cause));
  }

  private DueListings with(HashPMap<ListingCause, TreePSet<Instant>> next) {
    return new DueListings(next, lastStart, lastVerification);
  }

  /** That time, but no sooner than this distance after the start of the last listing. */
  Instant afterLast(Instant time, Duration least) {
    return lastStart.map(last -> later(time, last.plus(least))).orElse(time);
  }

  private static Instant later(Instant first, Instant second) {
    return second.isAfter(first) ? second : first;
  }

  /**
   * One listing serves all pools, so verifications are conflated: one that is due within {@link
   * #DISTANCE} after another is served by it or follows it at that distance. Nothing puts off a
   * verification that is due.
   */
  DueListings withVerifications(Stream<Instant> wanted, Instant now) {
    TreePSet<Instant> listings = all.getOrDefault(LOOK, TreePSet.empty());
    // One listing serves all verifications that are overdue, however long it cannot start.
    listings = listings.minusAll(listings.headSet(now, true).stream().skip(1).toList());
    for (Instant time : wanted.toList()) {
      Instant next = listings.ceiling(time);
      Instant before = listings.lower(time);
      if (next == null || next.isAfter(time.plus(DISTANCE))) {
        listings = listings.plus(before == null ? time : later(time, before.plus(DISTANCE)));
      }
    }
    return with(all.plus(LOOK, listings));
  }

  /** A listing starts. It serves what is due by now, and all listings that were asked for. */
  DueListings started(Instant now, ListingCause why) {
    HashPMap<ListingCause, TreePSet<Instant>> left = HashTreePMap.empty();
    for (Map.Entry<ListingCause, TreePSet<Instant>> due : all.minus(ASKED).entrySet()) {
      TreePSet<Instant> later = due.getValue().tailSet(now, false);
      left = later.isEmpty() ? left : left.plus(due.getKey(), later);
    }
    return new DueListings(
        left, Optional.of(now), why == LOOK ? Optional.of(now) : lastVerification);
  }
}
