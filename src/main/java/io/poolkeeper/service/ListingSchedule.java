package io.poolkeeper.service;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * When load balancers are listed (architecture, the same heading): at the start, once per resync (a
 * tenth less up to a tenth more), for looks ({@link TimedLooks}, {@link PeerLooks}, {@link
 * DrainLooks}), and soon after something asked for it: 1 s later at the earliest and, while such
 * requests go on, at a distance that doubles up to 60 s. One listing at a time; each serves all
 * that is due. Beside it goes one round of GETs at a time ({@link PeerLooks}): neither waits for
 * the other.
 *
 * @param asked when a listing that was asked for is due
 * @param lastStart when the last listing was started
 * @param regular how long after that one the next comes that nothing asks for
 * @param distance between a listing that was asked for and the one before
 * @param inFlight whether a listing is asked for or under way
 * @param failures in a row
 * @param failure of the last listing; empty if it did not fail
 */
public record ListingSchedule(
    Duration resync,
    TimedLooks looks,
    PeerLooks peer,
    DrainLooks drains,
    Optional<Instant> asked,
    Optional<Instant> lastStart,
    Duration regular,
    Duration distance,
    boolean inFlight,
    int failures,
    Optional<ArmFailure> failure) {
  static final Duration DEBOUNCE = Duration.ofSeconds(1);
  static final Duration MAX_DISTANCE = Duration.ofSeconds(60);

  /** From one listing to the next that bindings cause. */
  static final Duration BINDINGS = Duration.ofSeconds(10);

  /** How long a listing may take, all groups and pages together. */
  static final Duration LONGEST = Duration.ofSeconds(60);

  /**
   * The schedule of a process that starts now: its first listing is due at once.
   *
   * @param verifyAfter see {@link TimedLooks}
   */
  static ListingSchedule startingAt(Instant now, Duration resync, Duration verifyAfter) {
    return new ListingSchedule(
        resync,
        TimedLooks.none(verifyAfter),
        PeerLooks.NONE,
        DrainLooks.NONE,
        Optional.of(now),
        Optional.empty(),
        resync,
        DEBOUNCE,
        false,
        0,
        Optional.empty());
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
    return asked(earliest, nextDistance);
  }

  /**
   * A binding names a pool that no listing has shown. No Service's listing comes later by it, and
   * however many there are, they cause one in so long at most.
   */
  ListingSchedule soon(Instant now) {
    Duration after =
        lastStart.map(last -> Duration.between(last, now.plus(DEBOUNCE))).orElse(regular);
    Duration next = after.compareTo(BINDINGS) > 0 ? after : BINDINGS;
    return next.compareTo(regular) < 0 ? regular(next) : this;
  }

  private ListingSchedule regular(Duration next) {
    return new ListingSchedule(
        resync, looks, peer, drains, asked, lastStart, next, distance, inFlight, failures, failure);
  }

  /** The last listing does not count any more. */
  ListingSchedule atOnce(Instant now) {
    return asked(now, distance);
  }

  private ListingSchedule asked(Instant at, Duration next) {
    Optional<Instant> due = Optional.of(at);
    return new ListingSchedule(
        resync, looks, peer, drains, due, lastStart, regular, next, inFlight, failures, failure);
  }

  /** A pool has settled: it is to be looked at once more. */
  ListingSchedule lookWanted(Instant now) {
    return with(looks.wanted(now), peer, drains);
  }

  /** The cloud provider says that it has written the pools of a Service. */
  ListingSchedule peerWrote(ServiceKey service, Instant now) {
    return with(looks, peer.wrote(service, now, lastStart), drains);
  }

  /** See {@link PeerLooks#listed}. */
  ListingSchedule shown(Set<ServiceKey> updating, Instant now) {
    return with(looks, peer.listed(updating, now, lastStart), drains);
  }

  /**
   * The pools that looks by GET serve now; none if a listing is to serve them.
   *
   * @param written those that the cloud provider has written
   */
  List<PoolId> few(List<PoolId> written, Instant now) {
    boolean alone =
        isDue(peer.due(), now)
            && peer.gets().isEmpty()
            && (inFlight || others().noneMatch(at -> !at.isAfter(now)));
    return alone && written.size() <= PeerLooks.MOST_GETS ? written : List.of();
  }

  /** A few pools are looked at by GET instead, see {@link PeerLooks}. That is no listing. */
  ListingSchedule looking(List<PoolId> pools) {
    return with(looks, peer.by(pools), drains);
  }

  /** A listing is to serve these pools, and one is under way. */
  ListingSchedule later(Instant now) {
    return with(looks, peer.later(now), drains);
  }

  /** These GETs have ended. */
  ListingSchedule looked(Set<ServiceKey> updating, Instant now) {
    return with(looks, peer.looked(updating, now, lastStart), drains);
  }

  /** One of these GETs has failed: a listing serves instead. */
  ListingSchedule lookFailed(Instant now) {
    return with(looks, peer.lookFailed(), drains).ask(now);
  }

  /** Other nodes are out of service than before. */
  ListingSchedule leaving(boolean any, Instant now) {
    return with(looks, peer, drains.changed(any, now, lastStart));
  }

  /** Admin states were written: a listing shows whether they are there. */
  ListingSchedule drained(Instant now) {
    return with(looks, peer, drains.wrote(now, lastStart));
  }

  private ListingSchedule with(TimedLooks timed, PeerLooks peers, DrainLooks drained) {
    return new ListingSchedule(
        resync, timed, peers, drained, asked, lastStart, regular, distance, inFlight, failures,
        failure);
  }

  ListingCause cause(Instant now) {
    if (lastStart.isEmpty()) {
      return ListingCause.START;
    } else if (isDue(drains.due(), now)) {
      return ListingCause.DRAIN;
    } else if (isDue(peer.due(), now)) {
      return ListingCause.PEER;
    } else if (isDue(looks.next(), now)) {
      return ListingCause.LOOK;
    }
    return isDue(asked, now) ? ListingCause.ASKED : ListingCause.RESYNC;
  }

  private static boolean isDue(Optional<Instant> at, Instant now) {
    return at.filter(due -> !due.isAfter(now)).isPresent();
  }

  /**
   * A listing starts.
   *
   * @param random 0 to 1: replicas and clusters that have started together do not stay together
   */
  ListingSchedule started(Instant now, double random) {
    ListingCause cause = cause(now);
    return new ListingSchedule(
        resync,
        looks.started(now, cause),
        peer.started(now),
        drains.started(now),
        Optional.empty(),
        Optional.of(now),
        spread(resync, random),
        nextDistance(cause, now),
        true,
        failures,
        failure);
  }

  /** What is asked for after one that nothing has asked for comes no later by that. */
  private Duration nextDistance(ListingCause cause, Instant now) {
    if (cause != ListingCause.RESYNC) {
      return cause == ListingCause.ASKED ? doubled(distance) : distance;
    }
    Duration left =
        lastStart.map(last -> distance.minus(Duration.between(last, now))).orElse(distance);
    return left.compareTo(DEBOUNCE) > 0 ? left : DEBOUNCE;
  }

  /** A listing that showed something new proves that asking was worth it. */
  ListingSchedule finished(boolean changedSomething) {
    return ended(asked, changedSomething ? DEBOUNCE : distance, 0, Optional.empty());
  }

  private ListingSchedule ended(
      Optional<Instant> due, Duration next, int times, Optional<ArmFailure> why) {
    return new ListingSchedule(
        resync, looks, peer, drains, due, lastStart, regular, next, false, times, why);
  }

  /** A listing that failed is repeated 1 s after its start, doubling to 60 s. */
  ListingSchedule failed(ArmFailure why, Instant now) {
    Duration wait = DEBOUNCE.multipliedBy(1L << Math.min(failures, 6));
    Instant retry = now.plus(wait.compareTo(MAX_DISTANCE) > 0 ? MAX_DISTANCE : wait);
    return with(looks, peer.listingFailed(), drains)
        .ended(Optional.of(retry), distance, failures + 1, Optional.of(why));
  }

  /** When the next listing or round of GETs is to start; empty while none may. */
  Optional<Instant> due() {
    if (inFlight) {
      return peer.due().filter(at -> peer.gets().isEmpty());
    }
    return Stream.concat(others(), peer.due().stream()).min(Instant::compareTo);
  }

  /** What is to come besides looks at what the cloud provider has written. */
  private Stream<Instant> others() {
    return Stream.of(asked, looks.next(), drains.due(), lastStart.map(last -> last.plus(regular)))
        .flatMap(Optional::stream);
  }

  /** A tenth less up to a tenth more. */
  private static Duration spread(Duration whole, double random) {
    Duration tenth = whole.dividedBy(10);
    return whole.minus(tenth).plusNanos((long) (2 * tenth.toNanos() * random));
  }

  private static Duration doubled(Duration distance) {
    Duration twice = distance.multipliedBy(2);
    return twice.compareTo(MAX_DISTANCE) > 0 ? MAX_DISTANCE : twice;
  }
}
