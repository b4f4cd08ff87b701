package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import java.time.Instant;
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
 * @param passes per lane that waits, how many turns in a row went to other lanes
 * @param gate ARM takes no calls for it before this
 * @param settling present while the end of a write is waited for, up to the next turn
 * @param freeSince when its last turn came back, as far as somebody could still have waited for it
 * @param earlyFrom nobody is early here before this
 */
public record LoadBalancerQueue(
    LoadBalancerId id,
    Optional<Turn> turn,
    Map<Lane, TreePMap<Long, Request>> waiting,
    Map<Lane, Integer> passes,
    Instant gate,
    Optional<Settling> settling,
    Instant freeSince,
    Instant earlyFrom) {

  /** A turn in flight. */
  record Turn(long number, Requester holder, Lane lane, Instant since) {}

  /** A request for the turn. Tickets are numbered in the order of requests. */
  record Request(Requester requester, Lane lane, long ticket, Instant since) {}

  static LoadBalancerQueue of(LoadBalancerId id) {
    return new LoadBalancerQueue(
        id,
        Optional.empty(),
        Map.of(),
        Map.of(),
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

  /** The same for one lane. */
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

  /** The ticket of the first request of a lane. */
  Optional<Long> head(Lane lane) {
    return Optional.ofNullable(waiting.get(lane)).map(TreePMap::firstKey);
  }

  /** The first request of a lane, which must have one. */
  Request first(Lane lane) {
    TreePMap<Long, Request> requests = waiting.getOrDefault(lane, TreePMap.empty());
    return requests.firstEntry().getValue();
  }

  LoadBalancerQueue joined(Request request) {
    TreePMap<Long, Request> lane = waiting.getOrDefault(request.lane(), TreePMap.empty());
    return with(request.lane(), lane.plus(request.ticket(), request));
  }

  LoadBalancerQueue left(Request request) {
    TreePMap<Long, Request> lane = waiting.getOrDefault(request.lane(), TreePMap.empty());
    return with(request.lane(), lane.minus(request.ticket()));
  }

  /** The starved lane that was passed over most often by other lanes, if there is one. */
  Optional<Lane> starved(Predicate<Lane> mayGo) {
    return passes.entrySet().stream()
        .filter(
            entry -> entry.getValue() >= TurnstileLimits.MOST_PASSES && mayGo.test(entry.getKey()))
        .max(Map.Entry.<Lane, Integer>comparingByValue())
        .map(Map.Entry::getKey);
  }

  /**
   * The turn is out.
   *
   * @param passedOver lanes that could have had it
   */
  LoadBalancerQueue granted(Turn next, Predicate<Lane> passedOver) {
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    waiting.forEach(
        (lane, queue) -> {
          if (!lane.ages()) {
            return;
          }
          int before = lane == next.lane() ? 0 : passes.getOrDefault(lane, 0);
          counts.put(lane, lane != next.lane() && passedOver.test(lane) ? before + 1 : before);
        });
    return new LoadBalancerQueue(
        id, Optional.of(next), waiting, counts, gate, settling, freeSince, earlyFrom);
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
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    counts.putAll(passes);
    counts.remove(lane);
    return new LoadBalancerQueue(id, turn, next, counts, gate, settling, freeSince, earlyFrom);
  }
}
