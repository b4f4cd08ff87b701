package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.pcollections.TreePMap;

/**
 * One load balancer: the holder of its turn, the requests for it, and the time from which it is
 * free.
 *
 * @param waiting per lane in the order of their tickets; no lane is empty
 * @param passes who waits although others had the turn
 * @param gate ARM takes no calls for it before this
 * @param settling present while the end of a write is waited for, up to the next turn
 * @param freeSince when its last turn came back, as far as somebody could still have waited for it
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

  /** Whether somebody waits for nothing here, even though it settles: then ARM decides. */
  boolean limitIsOver(Instant now) {
    return !waiting.isEmpty() && !from().isAfter(now);
  }

  /** When it must be looked at next, unless it is at the moment; empty if it need not be. */
  Optional<Instant> lookFrom() {
    return settling
        .filter(any -> any.look().isEmpty())
        .map(any -> any.next().isAfter(gate) ? any.next() : gate);
  }

  Instant from(Lane lane) {
    return lane == Lane.EARLY && earlyFrom.isAfter(from()) ? earlyFrom : from();
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

  /** Who waits in a lane for the longest. */
  Optional<Request> oldest(Lane lane) {
    return Optional.ofNullable(waiting.get(lane)).map(all -> all.firstEntry().getValue());
  }

  /** Who waits for a turn to write this pool. */
  Optional<Request> of(PoolId pool) {
    return waiting.values().stream()
        .flatMap(lane -> lane.values().stream())
        .filter(request -> request.requester().pool().equals(pool))
        .findFirst();
  }

  /**
   * Who has the turn next if it is a lane's, which somebody must wait in: the oldest request. Of
   * drains it is the one with the largest share, unless the oldest was passed over often enough.
   * They are all looked at, as they are at most the pools of one load balancer, once per write.
   */
  Request next(Lane lane) {
    TreePMap<Long, Request> requests = waiting.getOrDefault(lane, TreePMap.empty());
    Request oldest = requests.firstEntry().getValue();
    return !lane.drains() || passes.starved(oldest.ticket())
        ? oldest
        : requests.values().stream().max(Request.BY_SHARE).orElse(oldest);
  }

  LoadBalancerQueue joined(Request request) {
    TreePMap<Long, Request> lane = waiting.getOrDefault(request.lane(), TreePMap.empty());
    return with(request.lane(), lane.plus(request.ticket(), request));
  }

  LoadBalancerQueue left(Request request) {
    TreePMap<Long, Request> lane = waiting.getOrDefault(request.lane(), TreePMap.empty());
    return with(request.lane(), lane.minus(request.ticket()));
  }

  /** The lane that was passed over too often, if there is one. */
  Optional<Lane> starved(Predicate<Lane> mayGo) {
    return passes.starved(mayGo);
  }

  /**
   * The turn is out.
   *
   * @param ticket of its request, which does not wait any more
   * @param passedOver lanes that could have had it
   */
  LoadBalancerQueue granted(Turn next, long ticket, Predicate<Lane> passedOver) {
    Passes after = passes.granted(next.lane(), ticket, waiting.keySet(), passedOver);
    return new LoadBalancerQueue(
        id, Optional.of(next), waiting, after, gate, settling, freeSince, earlyFrom);
  }

  LoadBalancerQueue returned() {
    return new LoadBalancerQueue(
        id, Optional.empty(), waiting, passes, gate, settling, freeSince, earlyFrom);
  }

  /** Records the time if it became free in this change. */
  LoadBalancerQueue freed(LoadBalancerQueue before, Instant now) {
    boolean waited = before.turn.isPresent() || before.settling.isPresent();
    boolean free = turn.isEmpty() && settling.isEmpty();
    return waited && free
        ? new LoadBalancerQueue(id, turn, waiting, passes, gate, settling, now, earlyFrom)
        : this;
  }

  /** Closed for longer, if the time is later. */
  LoadBalancerQueue closed(Instant until) {
    return until.isAfter(gate)
        ? new LoadBalancerQueue(id, turn, waiting, passes, until, settling, freeSince, earlyFrom)
        : this;
  }

  /** Nobody is early for longer, if the time is later. */
  LoadBalancerQueue earlyNotBefore(Instant time) {
    return time.isAfter(earlyFrom)
        ? new LoadBalancerQueue(id, turn, waiting, passes, gate, settling, freeSince, time)
        : this;
  }

  LoadBalancerQueue with(Settling next) {
    return new LoadBalancerQueue(
        id, turn, waiting, passes, gate, Optional.of(next), freeSince, earlyFrom);
  }

  LoadBalancerQueue settled() {
    return new LoadBalancerQueue(
        id, turn, waiting, passes, gate, Optional.empty(), freeSince, earlyFrom);
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
