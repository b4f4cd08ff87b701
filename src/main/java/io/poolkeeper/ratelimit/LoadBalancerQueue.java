package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * One load balancer: the permit that is out, the requests for the next one, and the time from which
 * it may be granted.
 */
public record LoadBalancerQueue(
    LoadBalancerId id, Optional<Permit> permit, Requests requests, Availability availability) {
  record Permit(long number, Requester holder, PriorityLevel level, Instant since) {}

  /**
   * A request for the permit. Tickets are numbered in the order of requests.
   *
   * @param overdue whether the wait for the end of a write of this pool has lasted long enough
   */
  record Request(
      Requester requester, Priority priority, long ticket, Instant since, boolean overdue) {
    PriorityLevel level() {
      return priority.level();
    }

    boolean isOf(PoolId pool) {
      return requester.pool().equals(pool);
    }

    Request with(Priority next) {
      return new Request(requester, next, ticket, since, overdue);
    }

    Request asOverdue() {
      return new Request(requester, priority, ticket, since, true);
    }
  }

  /**
   * When the permit may be granted, if it is not out.
   *
   * @param gate ARM takes no calls for the load balancer before this
   * @param unresolved present while the end of a write is not known, up to the next permit
   * @param since when the last permit came back, or the end of its write became known
   * @param earlyFrom no early permit is granted before this
   */
  record Availability(
      Instant gate, Optional<UnresolvedWrite> unresolved, Instant since, Instant earlyFrom) {
    private static final Availability INITIAL =
        new Availability(Instant.EPOCH, Optional.empty(), Instant.EPOCH, Instant.EPOCH);

    /** When the gate is open and no write is waited for. */
    Instant from() {
      return unresolved
          .map(UnresolvedWrite::until)
          .filter(until -> until.isAfter(gate))
          .orElse(gate);
    }

    Instant from(PriorityLevel level) {
      return level == PriorityLevel.EARLY && earlyFrom.isAfter(from()) ? earlyFrom : from();
    }

    private Availability unresolved(Optional<UnresolvedWrite> next) {
      return new Availability(gate, next, since, earlyFrom);
    }
  }

  static LoadBalancerQueue of(LoadBalancerId id) {
    return new LoadBalancerQueue(id, Optional.empty(), Requests.NONE, Availability.INITIAL);
  }

  Instant gate() {
    return availability.gate;
  }

  Optional<UnresolvedWrite> unresolved() {
    return availability.unresolved;
  }

  /**
   * When the pool of the unresolved write must be verified next; {@link Instant#MAX} if no write is
   * unresolved, if a verification is in flight, or if a request does not wait for the end any more:
   * then ARM decides.
   */
  Instant verifyFrom(Instant now) {
    boolean mayWait = requests.levels().isEmpty() || availability.from().isAfter(now);
    return unresolved()
        .filter(write -> write.verification().isEmpty() && mayWait)
        .map(write -> write.next().isAfter(gate()) ? write.next() : gate())
        .orElse(Instant.MAX);
  }

  /** When the priority level may have the permit; {@link Instant#MAX} while the permit is out. */
  Instant freeFrom(PriorityLevel level) {
    return permit.isPresent() ? Instant.MAX : availability.from(level);
  }

  /** The obstacle of a priority level at this load balancer. */
  Wait wait(PriorityLevel level, Duration permitDeadline, Instant now) {
    return Wait.none(now)
        .thenIf(permit.isPresent(), Obstacle.TURN, deadline(permitDeadline))
        .then(Obstacle.LOAD_BALANCER_GATE, gate(), now)
        .then(Obstacle.SETTLING, availability.from(), now)
        .then(Obstacle.EARLY_PAUSE, availability.from(level), now);
  }

  /** When its permit is lost; {@link Instant#MAX} if none is out. */
  Instant deadline(Duration permitDeadline) {
    return permit.map(held -> held.since().plus(permitDeadline)).orElse(Instant.MAX);
  }

  /** Since when this load balancer has had no obstacle for the request. */
  Instant readySince(Request request) {
    Instant from = availability.from(request.level());
    Instant free = from.isAfter(availability.since) ? from : availability.since;
    return request.since().isAfter(free) ? request.since() : free;
  }

  /** Whether the gate was closed while the request waited for no other permit. */
  boolean gateHeld(Request request) {
    return gate().isAfter(request.since()) && gate().isAfter(availability.since);
  }

  /** Whether it has no state worth keeping. */
  boolean forgettable(Instant now) {
    return permit.isEmpty()
        && requests.levels().isEmpty()
        && unresolved().isEmpty()
        && !gate().isAfter(now)
        && !availability.earlyFrom.isAfter(now);
  }

  LoadBalancerQueue with(Request request) {
    return new LoadBalancerQueue(id, permit, requests.with(request), availability);
  }

  LoadBalancerQueue without(Request request) {
    return new LoadBalancerQueue(id, permit, requests.without(request), availability);
  }

  /**
   * The wait for the end of a write is over. Only the pool of that write may write all the same,
   * under this permit or its next.
   */
  LoadBalancerQueue withOverdue() {
    return unresolved()
        .map(UnresolvedWrite::pool)
        .flatMap(pool -> requests.all().filter(request -> request.isOf(pool)).findFirst())
        .map(request -> with(request.asOverdue()))
        .orElse(this);
  }

  /**
   * The permit is granted.
   *
   * @param request the one that is granted
   * @param passedOver priority levels that could have had the permit
   */
  LoadBalancerQueue granted(Permit next, Request request, Set<PriorityLevel> passedOver) {
    Requests left = requests.granted(next, request, passedOver);
    return new LoadBalancerQueue(
        id, Optional.of(next), left, availability.unresolved(Optional.empty()));
  }

  /**
   * The permit is over. Early permits leave most of the time to others, and more if another client
   * writes here.
   */
  LoadBalancerQueue returned(
      Permit over, PermitResult result, RateLimiterLimits limits, Instant now) {
    Duration quiet = result.contested() ? RateLimiterLimits.OTHER_WRITER_QUIET : Duration.ZERO;
    Duration taken =
        over.level() == PriorityLevel.EARLY ? Duration.between(over.since(), now) : Duration.ZERO;
    Duration pause = limits.early().pause(taken);
    Instant early = now.plus(pause.compareTo(quiet) > 0 ? pause : quiet);
    Instant later = early.isAfter(availability.earlyFrom) ? early : availability.earlyFrom;
    Optional<UnresolvedWrite> unresolved =
        result.settles()
            ? Optional.of(UnresolvedWrite.begin(over.holder().pool(), now, limits.settleLimit()))
            : Optional.empty();
    return new LoadBalancerQueue(
        id, Optional.empty(), requests, new Availability(gate(), unresolved, now, later));
  }

  /** Closes the gate until then, if that is later than before. */
  LoadBalancerQueue closed(Instant until) {
    return until.isAfter(gate())
        ? with(new Availability(until, unresolved(), availability.since, availability.earlyFrom))
        : this;
  }

  /** A verification has ended. Only the verification in flight counts. */
  LoadBalancerQueue verified(long verification, VerificationResult result, Instant now) {
    if (!unresolved().flatMap(UnresolvedWrite::verification).equals(Optional.of(verification))) {
      return this;
    }
    return with(
        result == VerificationResult.SETTLED
            ? new Availability(gate(), Optional.empty(), now, availability.earlyFrom)
            : availability.unresolved(unresolved().map(write -> write.again(now))));
  }

  LoadBalancerQueue verifying(long verification) {
    return with(availability.unresolved(unresolved().map(write -> write.verifying(verification))));
  }

  private LoadBalancerQueue with(Availability next) {
    return new LoadBalancerQueue(id, permit, requests, next);
  }
}
