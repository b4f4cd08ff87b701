package io.poolkeeper.ratelimit;

import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Permit;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/**
 * The shared Lease at the rate limiter (decision 0018). Permits are granted only while the Lease is
 * held; the rate limiter says when it needs the Lease, and when a session of it is over. Drains are
 * granted until the session ends, other permits only in its first part. A drain that could not have
 * the Lease for too long goes without it, and so do later drains at its load balancer.
 *
 * <p>Invariants: no permit is granted and no write begins under a session that was said to have
 * ended. {@link #letsGoFrom} alone says who may go.
 *
 * @param standing who has the Lease; empty if permits need none
 * @param permits the permits under the session that is held
 * @param deniedSince since when drains are denied the Lease: one waits, or others have it
 * @param bypassed load balancers where a drain has gone without the Lease since then
 * @param demand what the lock was sent last
 */
record LeaseGate(
    Optional<LeaseStanding> standing,
    LeaseTerms terms,
    SessionPermits permits,
    Optional<Instant> deniedSince,
    MapPSet<LoadBalancerId> bypassed,
    LeaseDemand demand) {
  static final LeaseGate OFF =
      of(Optional.empty(), new LeaseTerms(Optional.empty(), Optional.empty(), Duration.ZERO));

  static LeaseGate on(LeaseTerms terms) {
    return of(Optional.of(new LeaseStanding.Free()), terms);
  }

  private static LeaseGate of(Optional<LeaseStanding> standing, LeaseTerms terms) {
    return new LeaseGate(
        standing,
        terms,
        SessionPermits.NONE,
        Optional.empty(),
        HashTreePSet.empty(),
        LeaseDemand.NONE);
  }

  LeaseGate with(SessionPermits next) {
    return new LeaseGate(standing, terms, next, deniedSince, bypassed, demand);
  }

  boolean off() {
    return standing.isEmpty();
  }

  /** The session that is held and has not ended. */
  private Optional<LeaseStanding.Held> session() {
    return standing.orElse(null) instanceof LeaseStanding.Held held
            && demand.ended() < held.session()
        ? Optional.of(held)
        : Optional.empty();
  }

  /** Whether permits of the priority level are granted under the Lease, or none is needed. */
  boolean open(PriorityLevel level, Instant now) {
    return off()
        || session()
            .map(held -> now.isBefore(level.drains() ? held.over() : held.until()))
            .orElse(false);
  }

  /**
   * From when on the Lease lets a request go, if nothing else happens; {@link Instant#MAX} if
   * something else must happen first.
   *
   * @param request the oldest one of its priority level and load balancer
   */
  Instant letsGoFrom(Request request, Instant now) {
    if (open(request.level(), now)) {
      return Instant.EPOCH;
    }
    return (request.level().drains() ? bypassFrom(request) : unreachableFrom()).orElse(Instant.MAX);
  }

  /** When a drain goes without the Lease: long after it read in vain, or asked while denied. */
  private Optional<Instant> bypassFrom(Request request) {
    Optional<Instant> since =
        permits
            .drainSince(request.requester())
            .or(() -> deniedSince.map(denied -> Wait.later(denied, request.since())));
    return bypassed.contains(request.requester().loadBalancer())
        ? Optional.of(Instant.EPOCH)
        : sum(since, terms.drainWait());
  }

  /**
   * Whether a request is granted under the Lease, or needs none. A drain that has read in vain for
   * too long goes without the Lease even if it is held: the next session may be too short as well.
   */
  boolean covers(Request request, Instant now) {
    boolean inVain =
        request.level().drains()
            && sum(permits.drainSince(request.requester()), terms.drainWait())
                .filter(from -> !from.isAfter(now))
                .isPresent();
    return open(request.level(), now) && !inVain;
  }

  private Optional<Instant> unreachableFrom() {
    return standing.orElse(null) instanceof LeaseStanding.Unreachable away
        ? sum(Optional.of(away.since()), terms.unreachableAfter())
            .map(from -> Wait.later(from, away.busyUntil().orElse(from)))
        : Optional.empty();
  }

  private static Optional<Instant> sum(Optional<Instant> since, Optional<Duration> wait) {
    return since.flatMap(from -> wait.map(from::plus));
  }

  /** When a request may go if nothing else happens; {@link Instant#MAX} if unknown. */
  Instant freeFrom(Request request, Instant now) {
    Instant from = letsGoFrom(request, now);
    return standing.orElse(null) instanceof LeaseStanding.Busy busy && busy.expires().isBefore(from)
        ? busy.expires()
        : from;
  }

  /** What is wrong with the Lease, in words; empty if nothing is. */
  Optional<String> problem() {
    return switch (standing.orElse(null)) {
      case null -> Optional.empty();
      case LeaseStanding.Held held -> Optional.empty();
      case LeaseStanding.Free free -> Optional.empty();
      case LeaseStanding.Busy busy ->
          Optional.of(
              "the shared Lease is held by "
                  + busy.holder()
                  + busy.since().map(since -> " since " + since).orElse(""));
      case LeaseStanding.Unreachable away ->
          Optional.of("the shared Lease cannot be had: " + away.error());
    };
  }

  /** Whether another client or the API server keeps the Lease from us. */
  private boolean unavailable() {
    return standing.orElse(null) instanceof LeaseStanding.Busy
        || standing.orElse(null) instanceof LeaseStanding.Unreachable;
  }

  /** The standing has changed; the permits of a session that is lost are over. */
  LeaseGate withStanding(LeaseStanding next) {
    SessionPermits left = sessionGoesOnIn(next) ? permits : permits.ended();
    return new LeaseGate(Optional.of(next), terms, left, deniedSince, bypassed, demand);
  }

  private boolean sessionGoesOnIn(LeaseStanding next) {
    return session()
        .map(held -> next instanceof LeaseStanding.Held later && later.session() == held.session())
        .orElse(false);
  }

  /** Until when a permit under this session may begin a write. */
  Instant writesUntil(Instant deadline) {
    return session().map(LeaseStanding.Held::over).filter(deadline::isAfter).orElse(deadline);
  }

  /** A permit is granted under the Lease, if one is needed. */
  LeaseGate granted(Permit permit, Instant now) {
    return session()
        .map(held -> with(permits.granted(permit, !now.isBefore(held.tail()))))
        .orElse(this);
  }

  /** A permit is granted without the Lease. */
  LeaseGate bypassed(Permit permit) {
    MapPSet<LoadBalancerId> next =
        permit.level().drains() ? bypassed.plus(permit.holder().loadBalancer()) : bypassed;
    return new LeaseGate(standing, terms, permits, deniedSince, next, demand);
  }

  /** The effects of a change of the Lease: recalled permits, and a new demand for the lock. */
  List<RateLimiterEffect> effectsSince(LeaseGate before, Instant now) {
    List<RateLimiterEffect> effects = new ArrayList<>();
    for (Permit permit : before.permits.endedIn(permits)) {
      PermitAnswer.Recalled answer = new PermitAnswer.Recalled(permit.number(), now);
      effects.add(new RateLimiterEffect.Recall(permit.holder(), answer));
    }
    if (!demand.equals(before.demand)) {
      effects.add(new RateLimiterEffect.DemandLease(demand));
    }
    return effects;
  }

  LeaseGate accepted(long permit, Instant now) {
    return with(permits.writes(permit, now.plus(terms.maxTail())));
  }

  /**
   * When nothing keeps the session any more if nothing else happens; {@link Instant#MAX} if never.
   */
  Instant endsAt() {
    return endsAt(demand.wanted());
  }

  private Instant endsAt(boolean wanted) {
    return session().map(held -> permits.endAt(wanted, held.tail())).orElse(Instant.MAX);
  }

  /**
   * The demand that the lock must know, after all possible grants.
   *
   * @param wanting the priority levels of which a request waits for nothing but the Lease
   * @param drainLater whether a drain that was denied may want it again: behind a permit that is
   *     out, or a gate
   */
  LeaseGate demanding(Collection<PriorityLevel> wanting, boolean drainLater, Instant now) {
    if (off()) {
      return this;
    }
    boolean wanted = !wanting.isEmpty();
    boolean drain = wanting.stream().anyMatch(PriorityLevel::drains);
    boolean ends = !endsAt(wanted).isAfter(now);
    long ended = ends ? session().map(LeaseStanding.Held::session).orElseThrow() : demand.ended();
    boolean open = !ends && open(PriorityLevel.DRAIN, now);
    boolean lasts = drainLater && deniedSince.isPresent() && !open(PriorityLevel.DRAIN, now);
    boolean denied = !open && (drain || unavailable() || lasts);
    return new LeaseGate(
        standing,
        terms,
        ends ? permits.ended() : permits,
        denied ? deniedSince.or(() -> Optional.of(now)) : Optional.empty(),
        denied ? bypassed : HashTreePSet.empty(),
        new LeaseDemand(wanted, drain, ended));
  }
}
