package io.poolkeeper.service;

import io.poolkeeper.model.ArmFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When load balancers are listed (architecture, Observations): at the start, once per resync, and
 * soon after something asked for it: 1 s later at the earliest and, while such requests go on, at a
 * distance that doubles up to 60 s. One listing at a time.
 *
 * @param asked when a listing that was asked for is due
 * @param lastStart when the last listing was started
 * @param distance between a listing that was asked for and the one before
 * @param failures in a row
 * @param failure of the last listing; empty if it did not fail
 */
public record ListingSchedule(
    Duration resync,
    Optional<Instant> asked,
    Optional<Instant> lastStart,
    Duration distance,
    boolean inFlight,
    int failures,
    Optional<ArmFailure> failure) {
  static final Duration DEBOUNCE = Duration.ofSeconds(1);
  static final Duration MAX_DISTANCE = Duration.ofSeconds(60);

  /** The schedule of a process that starts now: its first listing is due at once. */
  static ListingSchedule startingAt(Instant now, Duration resync) {
    return new ListingSchedule(
        resync, Optional.of(now), Optional.empty(), DEBOUNCE, false, 0, Optional.empty());
  }

  /** Something may have changed that only a listing can show. */
  ListingSchedule ask(Instant now) {
    boolean quiet =
        asked.isEmpty()
            && lastStart.map(last -> !now.isBefore(last.plus(MAX_DISTANCE))).orElse(true);
    Duration nextDistance = quiet ? DEBOUNCE : distance;
    Instant due = now.plus(DEBOUNCE);
    Instant paced = lastStart.map(last -> last.plus(nextDistance)).orElse(due);
    Instant at = paced.isAfter(due) ? paced : due;
    Instant earliest = asked.filter(before -> before.isBefore(at)).orElse(at);
    return new ListingSchedule(
        resync, Optional.of(earliest), lastStart, nextDistance, inFlight, failures, failure);
  }

  ListingSchedule started(Instant now) {
    Duration next = asked.isPresent() && lastStart.isPresent() ? doubled(distance) : distance;
    return new ListingSchedule(
        resync, Optional.empty(), Optional.of(now), next, true, failures, failure);
  }

  /** A listing that showed something new proves that asking was worth it. */
  ListingSchedule finished(boolean changedSomething) {
    Duration next = changedSomething ? DEBOUNCE : distance;
    return new ListingSchedule(resync, asked, lastStart, next, false, 0, Optional.empty());
  }

  /** A listing that failed is repeated 1 s after its start, doubling to 60 s. */
  ListingSchedule failed(ArmFailure why, Instant now) {
    Duration wait = DEBOUNCE.multipliedBy(1L << Math.min(failures, 6));
    Instant retry = now.plus(wait.compareTo(MAX_DISTANCE) > 0 ? MAX_DISTANCE : wait);
    return new ListingSchedule(
        resync, Optional.of(retry), lastStart, distance, false, failures + 1, Optional.of(why));
  }

  /** When the next listing is to start; empty while one is under way. */
  Optional<Instant> due() {
    if (inFlight) {
      return Optional.empty();
    }
    Optional<Instant> regular = lastStart.map(last -> last.plus(resync));
    return asked.isPresent() && regular.map(r -> asked.get().isBefore(r)).orElse(true)
        ? asked
        : regular;
  }

  private static Duration doubled(Duration distance) {
    Duration twice = distance.multipliedBy(2);
    return twice.compareTo(MAX_DISTANCE) > 0 ? MAX_DISTANCE : twice;
  }
}
