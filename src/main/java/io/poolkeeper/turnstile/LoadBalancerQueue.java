package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.pcollections.TreePMap;

/**
 * One load balancer: the holder of its turn, the requests for it, and the time from which it is
 * free.
 *
 * @param waiting per lane in the order of their tickets; no lane is empty
 * @param passes who waits although others had the turn
 * @param gate ARM takes no calls for it before this
 * @param settling present while the end of a write is waited for, up to the next turn
 * @param freeSince when its last turn came back or it settled, as far as somebody could still have
 *     waited for it
 * @param earlyFrom nobody is early here before this
 */
public record LoadBalancerQueue(
    LoadBalancerId id,
    Optional<Turn> turn,
    Map<Lane, TreePMap<Long, Request>> waiting,
    Passes passes,
    Instant gate,
    Optional<Settling> settling,
    Instant freeSince,
    Instant earlyFrom) {

  record Turn(long number, Requester holder, Lane lane, Instant since) {}

  /**
   * A request for the turn. Tickets are numbered in the order of requests.
   *
   * @param overdue whether the end of a write of this pool was waited for long enough
   */
  record Request(
      Requester requester, Priority priority, long ticket, Instant since, boolean overdue) {
    /** The most urgent drain last; of equal shares, the oldest. */
    private static final Comparator<Request> BY_SHARE =
        Comparator.comparing((Request request) -> request.priority().share())
            .thenComparing(Request::ticket, Comparator.reverseOrder());

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

  static LoadBalancerQueue of(LoadBalancerId id) {
    return new LoadBalancerQueue(
        id,
        Optional.empty(),
        Map.of(),
        Passes.NONE,
        Instant.EPOCH,
        Optional.empty(),
        Instant.EPOCH,
        Instant.EPOCH);
  }

  /** The time from which its turn may be granted: the gate is open, and nothing is waited for. */
  Instant from() {
    return settling.map(Settling::until).filter(until -> until.isAfter(gate)).orElse(gate);
  }

  /**
   * When it must be looked at next. It need not be, {@link Instant#MAX}, if nothing settles, or is
   * looked at already, or if somebody waits for nothing here all the same: then ARM decides.
   */
  Instant lookFrom(Instant now) {
    return settling
        .filter(any -> any.look().isEmpty() && (waiting.isEmpty() || from().isAfter(now)))
        .map(any -> any.next().isAfter(gate) ? any.next() : gate)
        .orElse(Instant.MAX);
  }

  Instant from(Lane lane) {
    return lane == Lane.EARLY && earlyFrom.isAfter(from()) ? earlyFrom : from();
  }

  /** When somebody may have the turn for that lane; {@link Instant#MAX} while it is out. */
  Instant freeFrom(Lane lane) {
    return turn.isPresent() ? Instant.MAX : from(lane);
  }

  /** What stands in the way of its lane here. */
  Wait wait(Lane lane, Duration turnDeadline, Instant now) {
    return Wait.none(now)
        .then(turn.isPresent(), Obstacle.TURN, deadline(turnDeadline))
        .then(Obstacle.LOAD_BALANCER_GATE, gate, now)
        .then(Obstacle.SETTLING, from(), now)
        .then(Obstacle.EARLY_PAUSE, from(lane), now);
  }

  /** When its turn is lost; {@link Instant#MAX} if none is out. */
  Instant deadline(Duration turnDeadline) {
    return turn.map(held -> held.since().plus(turnDeadline)).orElse(Instant.MAX);
  }

  /** Since when nothing about this load balancer keeps the request waiting, if nothing does. */
  Instant readySince(Request request) {
    Instant from = from(request.lane());
    Instant free = from.isAfter(freeSince) ? from : freeSince;
    return request.since().isAfter(free) ? request.since() : free;
  }

  /** Whether it has no state worth keeping. */
  boolean forgettable(Instant now) {
    return turn.isEmpty()
        && waiting.isEmpty()
        && settling.isEmpty()
        && !gate.isAfter(now)
        && !earlyFrom.isAfter(now);
  }

  /** Whether its turn is out for a drain. */
  boolean drains() {
    return turn.map(held -> held.lane().drains()).orElse(false);
  }

  /** Who waits for the longest in a lane, in which somebody must. */
  Request oldest(Lane lane) {
    return lane(lane).firstEntry().getValue();
  }

  private TreePMap<Long, Request> lane(Lane lane) {
    return waiting.getOrDefault(lane, TreePMap.empty());
  }

  /** All who wait. */
  Stream<Request> requests() {
    return waiting.values().stream().flatMap(lane -> lane.values().stream());
  }

  /** The request of somebody. Incarnations come first, as most of them differ. */
  Optional<Request> of(Requester requester) {
    for (TreePMap<Long, Request> lane : waiting.values()) {
      for (Request one : lane.values()) {
        if (one.requester().incarnation() == requester.incarnation()
            && one.requester().equals(requester)) {
          return Optional.of(one);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Who has the turn next if it is a lane's, which somebody must wait in: the oldest request. Of
   * drains it is the one with the largest share, unless the oldest was passed over often enough.
   * They are all looked at, as they are at most the pools of one load balancer, once per write.
   */
  Request next(Lane lane) {
    Request oldest = oldest(lane);
    return !lane.drains() || passes.starved(oldest.ticket())
        ? oldest
        : lane(lane).values().stream().max(Request.BY_SHARE).orElse(oldest);
  }

  LoadBalancerQueue joined(Request request) {
    return with(request.lane(), lane(request.lane()).plus(request.ticket(), request));
  }

  LoadBalancerQueue left(Request request) {
    return with(request.lane(), lane(request.lane()).minus(request.ticket()));
  }

  /**
   * Somebody has a turn: what was waited for, if anything, was waited for long enough. Only the
   * pool that it was about may write over it, now or in its next turn.
   */
  LoadBalancerQueue overdue() {
    return settling
        .map(Settling::pool)
        .flatMap(pool -> requests().filter(one -> one.requester().pool().equals(pool)).findFirst())
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
    LoadBalancerQueue left = left(request);
    Set<Lane> served = Set.of(next.lane());
    Passes counted = left.passes.granted(left.waiting.keySet(), served, passedOver);
    Passes after = next.lane().drains() ? counted.drained(request.ticket()) : counted;
    return new LoadBalancerQueue(
        id, Optional.of(next), left.waiting, after, gate, Optional.empty(), freeSince, earlyFrom);
  }

  /**
   * Its turn is over. What is early leaves most of the time to others, and more if another client
   * writes here.
   */
  LoadBalancerQueue returned(Turn over, TurnResult result, TurnstileLimits limits, Instant now) {
    Duration quiet = result.contested() ? TurnstileLimits.OTHER_WRITER_QUIET : Duration.ZERO;
    Duration taken =
        over.lane() == Lane.EARLY ? Duration.between(over.since(), now) : Duration.ZERO;
    Duration pause = limits.early().pause(taken);
    Instant early = now.plus(pause.compareTo(quiet) > 0 ? pause : quiet);
    return new LoadBalancerQueue(
        id,
        Optional.empty(),
        waiting,
        passes,
        gate,
        Optional.of(Settling.begin(over.holder().pool(), now, limits.settleLimit()))
            .filter(any -> result.settles()),
        now,
        early.isAfter(earlyFrom) ? early : earlyFrom);
  }

  /** Closed for longer, if the time is later. */
  LoadBalancerQueue closed(Instant until) {
    return until.isAfter(gate)
        ? new LoadBalancerQueue(id, turn, waiting, passes, until, settling, freeSince, earlyFrom)
        : this;
  }

  /** A look has ended; it counts if this settles still, and since before the look. */
  LoadBalancerQueue looked(long look, LookResult result, Instant now) {
    if (!settling.flatMap(Settling::look).equals(Optional.of(look))) {
      return this;
    }
    return result == LookResult.SETTLED
        ? with(Optional.empty(), now)
        : with(settling.map(any -> any.again(now)), freeSince);
  }

  /** It is looked at. */
  LoadBalancerQueue looking(long look) {
    return with(settling.map(any -> any.looking(look)), freeSince);
  }

  private LoadBalancerQueue with(Optional<Settling> next, Instant free) {
    return new LoadBalancerQueue(id, turn, waiting, passes, gate, next, free, earlyFrom);
  }

  private LoadBalancerQueue with(Lane lane, TreePMap<Long, Request> requests) {
    Map<Lane, TreePMap<Long, Request>> next = new EnumMap<>(Lane.class);
    next.putAll(waiting);
    if (!requests.isEmpty()) {
      next.put(lane, requests);
      return new LoadBalancerQueue(id, turn, next, passes, gate, settling, freeSince, earlyFrom);
    }
    next.remove(lane);
    return new LoadBalancerQueue(
        id, turn, next, passes.without(lane), gate, settling, freeSince, earlyFrom);
  }
}
