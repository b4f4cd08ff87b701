package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * One load balancer: the holder of its turn, the requests for it, and the time from which it is
 * free.
 */
public record LoadBalancerQueue(
    LoadBalancerId id, Optional<Turn> turn, Requests requests, Availability availability) {
  record Turn(long number, Requester holder, Lane lane, Instant since) {}

  /**
   * A request for the turn. Tickets are numbered in the order of requests.
   *
   * @param overdue whether the end of a write of this pool was waited for long enough
   */
  record Request(
      Requester requester, Priority priority, long ticket, Instant since, boolean overdue) {
    Lane lane() {
      return priority.lane();
    }

    Request with(Priority next) {
      return new Request(requester, next, ticket, since, overdue);
    }

    Request asOverdue() {
      return new Request(requester, priority, ticket, since, true);
    }
  }

  /**
   * When the turn may be granted, if it is not out.
   *
   * @param gate ARM takes no calls for the load balancer before this
   * @param settling present while the end of a write is waited for, up to the next turn
   * @param since when the last turn came back or settling ended, as far as somebody could still
   *     have waited for that
   * @param earlyFrom nobody is early here before this
   */
  record Availability(Instant gate, Optional<Settling> settling, Instant since, Instant earlyFrom) {
    private static final Availability INITIAL =
        new Availability(Instant.EPOCH, Optional.empty(), Instant.EPOCH, Instant.EPOCH);

    /** The gate is open then, and nothing is waited for. */
    Instant from() {
      return settling.map(Settling::until).filter(until -> until.isAfter(gate)).orElse(gate);
    }

    Instant from(Lane lane) {
      return lane == Lane.EARLY && earlyFrom.isAfter(from()) ? earlyFrom : from();
    }

    private Availability settling(Optional<Settling> next) {
      return new Availability(gate, next, since, earlyFrom);
    }
  }

  static LoadBalancerQueue of(LoadBalancerId id) {
    return new LoadBalancerQueue(id, Optional.empty(), Requests.NONE, Availability.INITIAL);
  }

  Instant gate() {
    return availability.gate;
  }

  Optional<Settling> settling() {
    return availability.settling;
  }

  /**
   * When it must be looked at next. It need not be, {@link Instant#MAX}, if nothing settles, or is
   * looked at already, or if somebody waits for nothing here all the same: then ARM decides.
   */
  Instant lookFrom(Instant now) {
    boolean mayWait = requests.lanes().isEmpty() || availability.from().isAfter(now);
    return settling()
        .filter(any -> any.look().isEmpty() && mayWait)
        .map(any -> any.next().isAfter(gate()) ? any.next() : gate())
        .orElse(Instant.MAX);
  }

  /** When somebody may have the turn for that lane; {@link Instant#MAX} while it is out. */
  Instant freeFrom(Lane lane) {
    return turn.isPresent() ? Instant.MAX : availability.from(lane);
  }

  /** What stands in the way of a lane here. */
  Wait wait(Lane lane, Duration turnDeadline, Instant now) {
    return Wait.none(now)
        .then(turn.isPresent(), Obstacle.TURN, deadline(turnDeadline))
        .then(Obstacle.LOAD_BALANCER_GATE, gate(), now)
        .then(Obstacle.SETTLING, availability.from(), now)
        .then(Obstacle.EARLY_PAUSE, availability.from(lane), now);
  }

  /** When its turn is lost; {@link Instant#MAX} if none is out. */
  Instant deadline(Duration turnDeadline) {
    return turn.map(held -> held.since().plus(turnDeadline)).orElse(Instant.MAX);
  }

  /** Since when nothing about this load balancer keeps the request waiting, if nothing does. */
  Instant readySince(Request request) {
    Instant from = availability.from(request.lane());
    Instant free = from.isAfter(availability.since) ? from : availability.since;
    return request.since().isAfter(free) ? request.since() : free;
  }

  /** Whether it has no state worth keeping. */
  boolean forgettable(Instant now) {
    return turn.isEmpty()
        && requests.lanes().isEmpty()
        && settling().isEmpty()
        && !gate().isAfter(now)
        && !availability.earlyFrom.isAfter(now);
  }

  /** Whether its turn is out for a drain. */
  boolean drains() {
    return turn.map(held -> held.lane().drains()).orElse(false);
  }

  LoadBalancerQueue joined(Request request) {
    return new LoadBalancerQueue(id, turn, requests.with(request), availability);
  }

  LoadBalancerQueue left(Request request) {
    return new LoadBalancerQueue(id, turn, requests.without(request), availability);
  }

  /**
   * A turn is granted: if the end of a write was waited for, that was long enough. Only the pool of
   * that write may write over it, now or in its next turn.
   */
  LoadBalancerQueue overdue() {
    return settling()
        .map(Settling::pool)
        .flatMap(
            pool -> requests.all().filter(one -> one.requester().pool().equals(pool)).findFirst())
        .map(request -> joined(request.asOverdue()))
        .orElse(this);
  }

  /**
   * The turn is out.
   *
   * @param request does not wait any more
   * @param passedOver lanes that could have had it
   */
  LoadBalancerQueue granted(Turn next, Request request, Set<Lane> passedOver) {
    Requests left = requests.granted(next, request, passedOver);
    return new LoadBalancerQueue(
        id, Optional.of(next), left, availability.settling(Optional.empty()));
  }

  /**
   * The turn is over. Early turns leave most of the time to others, and more if another client
   * writes here.
   */
  LoadBalancerQueue returned(Turn over, TurnResult result, TurnstileLimits limits, Instant now) {
    Duration quiet = result.contested() ? TurnstileLimits.OTHER_WRITER_QUIET : Duration.ZERO;
    Duration taken =
        over.lane() == Lane.EARLY ? Duration.between(over.since(), now) : Duration.ZERO;
    Duration pause = limits.early().pause(taken);
    Instant early = now.plus(pause.compareTo(quiet) > 0 ? pause : quiet);
    Instant later = early.isAfter(availability.earlyFrom) ? early : availability.earlyFrom;
    Optional<Settling> settling =
        Optional.of(Settling.begin(over.holder().pool(), now, limits.settleLimit()))
            .filter(any -> result.settles());
    return new LoadBalancerQueue(
        id, Optional.empty(), requests, new Availability(gate(), settling, now, later));
  }

  /** The gate is closed until then, if that is later than before. */
  LoadBalancerQueue closed(Instant until) {
    return until.isAfter(gate())
        ? with(new Availability(until, settling(), availability.since, availability.earlyFrom))
        : this;
  }

  /** A look has ended; it counts if it is the one in flight. */
  LoadBalancerQueue looked(long look, LookResult result, Instant now) {
    if (!settling().flatMap(Settling::look).equals(Optional.of(look))) {
      return this;
    }
    return with(
        result == LookResult.SETTLED
            ? new Availability(gate(), Optional.empty(), now, availability.earlyFrom)
            : availability.settling(settling().map(any -> any.again(now))));
  }

  /** A look at it is in flight. */
  LoadBalancerQueue looking(long look) {
    return with(availability.settling(settling().map(any -> any.looking(look))));
  }

  private LoadBalancerQueue with(Availability next) {
    return new LoadBalancerQueue(id, turn, requests, next);
  }
}
