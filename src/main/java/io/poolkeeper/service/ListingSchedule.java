package io.poolkeeper.service;

import static io.poolkeeper.service.ListingCause.ASKED;
import static io.poolkeeper.service.ListingCause.DRAIN;
import static io.poolkeeper.service.ListingCause.PEER;
import static io.poolkeeper.service.ListingCause.RESYNC;
import static io.poolkeeper.service.ListingCause.START;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * When load balancers are listed, by the rules of each cause (architecture, When load balancers are
 * listed). One listing runs at a time, and serves all causes that are due. Beside it, one round of
 * GETs at a time reads pools that the cloud provider has written: neither waits for the other.
 *
 * @param distance between a listing that was asked for and the one before
 * @param inFlight whether a listing is asked for or under way
 * @param unread the groups that could not be listed
 */
public record ListingSchedule(
    DueListings listings,
    Duration distance,
    CloudProviderWrites cloudProvider,
    Drain drain,
    boolean inFlight,
    UnreadGroups unread) {
  static final Duration DEBOUNCE = Duration.ofSeconds(1);
  static final Duration MAX_DISTANCE = Duration.ofSeconds(60);

  /** The distance between two listings for bindings. */
  private static final Duration BINDINGS = Duration.ofSeconds(10);

  /** The distance from a listing or round of GETs to a listing that the cloud provider causes. */
  private static final Duration CLOUD_PROVIDER_APART = Duration.ofSeconds(2);

  private static final int MOST_AGAIN = 5;

  /** The time limit of a listing, all groups and pages together; later none is begun. */
  static final Duration LONGEST = Duration.ofSeconds(60);

  /**
   * Listings while nodes are out of service: every 15 s for 5 min after a change, then at a
   * distance that doubles to 2 min, as another writer may revert admin states. While nodes come and
   * go, the listing that a change asks for comes at a distance that doubles from 1 s to 15 s: known
   * pools drain without it.
   *
   * @param since when nodes or states changed last
   * @param leaving whether any node is out of service
   * @param distance to the next listing if nothing changes
   * @param asked from a listing to one that a change asks for
   */
  record Drain(Optional<Instant> since, boolean leaving, Duration distance, Duration asked) {
    private static final Duration DISTANCE = Duration.ofSeconds(15);
    private static final Duration QUIET = Duration.ofSeconds(30);
    private static final Duration OFTEN = Duration.ofMinutes(5);
    private static final Duration MAX_DISTANCE = Duration.ofMinutes(2);
    static final Drain NONE = new Drain(Optional.empty(), false, DISTANCE, DEBOUNCE);

    Drain changed(Instant now, boolean anyLeaves) {
      Duration wait = within(QUIET, now) ? asked : DEBOUNCE;
      return new Drain(Optional.of(now), anyLeaves, DISTANCE, wait);
    }

    Drain verified(Instant now) {
      Duration next = within(OFTEN, now) ? DISTANCE : doubled(distance, MAX_DISTANCE);
      return new Drain(since, leaving, next, doubled(asked, DISTANCE));
    }

    private boolean within(Duration time, Instant now) {
      return since.filter(at -> now.isBefore(at.plus(time))).isPresent();
    }
  }

  /** The schedule of a process that starts now: its first listing is due at once. */
  static ListingSchedule startingAt(Instant now) {
    DueListings first = DueListings.NONE.at(ASKED, now);
    return new ListingSchedule(
        first, DEBOUNCE, CloudProviderWrites.NONE, Drain.NONE, false, UnreadGroups.NONE);
  }

  private ListingSchedule with(DueListings all, CloudProviderWrites writes) {
    return with(all, distance, writes, drain);
  }

  private ListingSchedule with(
      DueListings all, Duration next, CloudProviderWrites writes, Drain drains) {
    return new ListingSchedule(all, next, writes, drains, inFlight, unread);
  }

  /**
   * Something may have changed that only a listing can show. It starts 1 s later at the earliest;
   * while such requests go on, at a distance that doubles up to 60 s.
   */
  ListingSchedule ask(Instant now) {
    boolean quiet = !listings.has(ASKED) && !listings.afterLast(now, MAX_DISTANCE).isAfter(now);
    Duration next = quiet ? DEBOUNCE : distance;
    Instant at = listings.afterLast(now.plus(DEBOUNCE), next);
    return with(listings.atLatest(ASKED, at), next, cloudProvider, drain);
  }

  /**
   * A binding names a pool that no listing has shown. Any number of bindings causes one listing per
   * distance at most, and none of Services is delayed by that.
   */
  ListingSchedule askForBinding(Instant now) {
    Instant at = listings.afterLast(now.plus(DEBOUNCE), BINDINGS);
    return listings.has(RESYNC) ? with(listings.atLatest(RESYNC, at), cloudProvider) : this;
  }

  /**
   * A listing of all groups is due at once, as no earlier one counts any more, nor does one that is
   * under way.
   */
  ListingSchedule atOnce(Instant now) {
    return new ListingSchedule(
        listings.at(ASKED, now), distance, cloudProvider, drain, false, UnreadGroups.NONE);
  }

  /**
   * A pool is as desired, as far as is known. It is looked at once more: the cloud provider's
   * updater may act on the same change later, and wrongly.
   *
   * @param verifyAfter how long after a change the first verification comes; zero if none ever does
   */
  ListingSchedule verify(Duration verifyAfter, Instant now) {
    if (verifyAfter.isZero()) {
      return this;
    }
    Instant first = now.plus(verifyAfter);
    Stream<Instant> wanted = PoolLimits.VERIFICATIONS.stream().map(first::plus);
    return with(listings.withVerifications(wanted, now), cloudProvider);
  }

  /** The cloud provider says that it wrote the pools of a Service; rarely it is only one. */
  ListingSchedule cloudProviderWrote(ServiceKey service, Instant now) {
    return with(cloudProviderAt(now.plus(DEBOUNCE)), cloudProvider.withWritten(Set.of(service), 0));
  }

  private DueListings cloudProviderAt(Instant time) {
    return listings.has(PEER)
        ? listings
        : listings.at(PEER, listings.afterLast(time, CLOUD_PROVIDER_APART));
  }

  /**
   * A listing ended.
   *
   * @param updating the Services whose verifications it served and whose pools are still being
   *     written
   */
  ListingSchedule shown(Set<ServiceKey> updating, Instant now) {
    return cloudProvider.listing().isEmpty()
        ? this
        : shown(cloudProvider.listingEnded(), updating, now);
  }

  /** The round of GETs ended; {@code updating} as in {@link #shown(Set, Instant)}. */
  ListingSchedule verified(Set<ServiceKey> updating, Instant now) {
    return shown(cloudProvider.getsEnded(), updating, now);
  }

  /**
   * The cloud provider's event may come before its operation has ended. So pools that are still
   * being written are looked at again, after a second, doubling, {@value #MOST_AGAIN} times at
   * most.
   */
  private ListingSchedule shown(CloudProviderWrites ended, Set<ServiceKey> updating, Instant now) {
    int again = ended.again();
    if (listings.has(PEER)) {
      // Another verification is planned in any case.
      return with(listings, ended.withWritten(updating, again));
    }
    if (updating.isEmpty() || again >= MOST_AGAIN) {
      return with(listings, ended.withWritten(Set.of(), 0));
    }
    Instant next = now.plus(DEBOUNCE.multipliedBy(1L << again));
    return with(cloudProviderAt(next), ended.withWritten(updating, again + 1));
  }

  /**
   * The pools that a round of GETs looks at now; none if a listing is to serve them.
   *
   * @param written the pools that the cloud provider has written
   */
  List<PoolId> few(List<PoolId> written, Instant now) {
    boolean alone =
        listings.isDue(PEER, now)
            && cloudProvider.gets().isEmpty()
            && (inFlight || listings.due(now).allMatch(PEER::equals));
    return alone && written.size() <= CloudProviderWrites.MOST_GETS ? written : List.of();
  }

  /** A round of GETs looks at a few pools in the place of a listing. */
  ListingSchedule verifying(List<PoolId> pools) {
    return with(listings.without(PEER), cloudProvider.getsBegun(pools));
  }

  /** Only a listing can serve these pools, and the one in flight began too early. */
  ListingSchedule later(Instant now) {
    return with(listings.at(PEER, now.plus(CLOUD_PROVIDER_APART)), cloudProvider);
  }

  /** A GET of the round failed: a listing follows. */
  ListingSchedule unverified(Instant now) {
    CloudProviderWrites again =
        cloudProvider.withWritten(cloudProvider.verifying(), cloudProvider.again());
    return with(listings, again.getsEnded()).ask(now);
  }

  /** The set of nodes out of service has changed. */
  ListingSchedule leaving(boolean anyLeaves, Instant now) {
    Drain next = drain.changed(now, anyLeaves);
    DueListings due = listings.at(DRAIN, listings.afterLast(now, next.asked()));
    return with(due, distance, cloudProvider, next);
  }

  /** Admin states were written, and no GET has shown them: a listing is to. */
  ListingSchedule drained(Instant now) {
    Drain drains = drain.changed(now, drain.leaving());
    Instant soon = listings.afterLast(now.plus(DEBOUNCE), drains.asked());
    DueListings next =
        listings.isDue(DRAIN, now) ? listings.at(DRAIN, soon) : listings.atLatest(DRAIN, soon);
    return with(next, distance, cloudProvider, drains);
  }

  ListingCause cause(Instant now) {
    return listings.lastStart().isEmpty() ? START : listings.due(now).findFirst().orElse(RESYNC);
  }

  /**
   * A listing starts.
   *
   * @param resync how often load balancers are listed at least
   * @param random 0 to 1: replicas and clusters that started together drift apart
   */
  ListingSchedule started(Duration resync, Instant now, double random) {
    ListingCause cause = cause(now);
    DueListings next = listings.started(now, cause).at(RESYNC, now.plus(spread(resync, random)));
    CloudProviderWrites writes = next.has(PEER) ? cloudProvider : cloudProvider.listingBegun();
    boolean drainDue = listings.isDue(DRAIN, now);
    Drain drains = drainDue ? drain.verified(now) : drain;
    if (drainDue && drain.leaving()) {
      next = next.at(DRAIN, now.plus(drains.distance()));
    }
    return new ListingSchedule(next, nextDistance(cause, now), writes, drains, true, unread);
  }

  /** A tenth less up to a tenth more. */
  private static Duration spread(Duration whole, double random) {
    Duration tenth = whole.dividedBy(10);
    return whole.minus(tenth).plusNanos((long) (2 * tenth.toNanos() * random));
  }

  /** The distance to the next listing that is asked for; no other cause makes it longer. */
  private Duration nextDistance(ListingCause cause, Instant now) {
    if (cause != RESYNC) {
      return cause == ASKED ? doubled(distance, MAX_DISTANCE) : distance;
    }
    Duration left = Duration.between(now, listings.afterLast(now, distance));
    return left.compareTo(DEBOUNCE) > 0 ? left : DEBOUNCE;
  }

  private static Duration doubled(Duration distance, Duration most) {
    Duration twice = distance.multipliedBy(2);
    return twice.compareTo(most) > 0 ? most : twice;
  }

  /**
   * A listing ended. One that showed something new proves that it was worth asking for. One that
   * does not show the configured group is repeated, and has served no verifications.
   */
  ListingSchedule finished(boolean changedSomething, UnreadGroups groups) {
    DueListings due = listings;
    Duration next = changedSomething ? DEBOUNCE : distance;
    CloudProviderWrites writes = cloudProvider;
    if (groups.ownRetryAt().isPresent()) {
      due = due.at(ASKED, groups.ownRetryAt().get());
      next = distance;
      writes = writes.withWritten(writes.listing(), writes.again()).listingEnded();
    }
    if (groups.retryAt().isPresent()) {
      due = due.atLatest(RESYNC, groups.retryAt().get());
    }
    return new ListingSchedule(due, next, writes, drain, false, groups);
  }

  /** When the next listing or round of GETs is to start; empty while none may. */
  Optional<Instant> due() {
    return inFlight
        ? listings.first(PEER).filter(at -> cloudProvider.gets().isEmpty())
        : listings.first();
  }
}
