package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.pcollections.TreePMap;

/**
 * One load balancer: who has its turn, who waits for it, and from when on it may be had.
 *
 * @param waiting per lane in the order of their tickets; no lane is empty
 * @param passes per lane that waits, how many turns in a row went to other lanes
 * @param from not before this: a gate of its own, or the next look at an unresolved write
 * @param settling present while a write is unresolved
 */
public record Line(
    LoadBalancerId id,
    Optional<Turn> turn,
    Map<Lane, TreePMap<Long, Waiter>> waiting,
    Map<Lane, Integer> passes,
    Instant from,
    Optional<Settling> settling) {

  /** A turn that is out. */
  record Turn(long number, Visitor holder, Lane lane, Instant since) {}

  /** Who waits, in which lane, and since when. Tickets are numbered as they are drawn. */
  record Waiter(Visitor visitor, Lane lane, long ticket, Instant since) {}

  /**
   * A write whose end nobody knows.
   *
   * @param until then ARM decides
   * @param pause until the next look
   */
  record Settling(Instant until, Duration pause) {
    static Settling begin(Instant now, Duration limit) {
      return new Settling(now.plus(limit), TurnstileLimits.FIRST_PROBE);
    }

    Settling again() {
      Duration twice = pause.multipliedBy(2);
      boolean most = twice.compareTo(TurnstileLimits.LAST_PROBE) > 0;
      return new Settling(until, most ? TurnstileLimits.LAST_PROBE : twice);
    }
  }

  static Line of(LoadBalancerId id) {
    return new Line(id, Optional.empty(), Map.of(), Map.of(), Instant.EPOCH, Optional.empty());
  }

  /** Whether nothing is known of it that somebody could miss. */
  boolean forgettable(Instant now) {
    return turn.isEmpty() && waiting.isEmpty() && settling.isEmpty() && !from.isAfter(now);
  }

  /** Whether its turn is out for a drain. */
  boolean drains() {
    return turn.map(held -> held.lane().drains()).orElse(false);
  }

  /** The ticket of the first waiter of a lane. */
  Optional<Long> head(Lane lane) {
    return Optional.ofNullable(waiting.get(lane)).map(TreePMap::firstKey);
  }

  /** The first waiter of a lane, in which somebody waits. */
  Waiter first(Lane lane) {
    TreePMap<Long, Waiter> waiters = waiting.getOrDefault(lane, TreePMap.empty());
    return waiters.firstEntry().getValue();
  }

  Line joined(Waiter waiter) {
    TreePMap<Long, Waiter> lane = waiting.getOrDefault(waiter.lane(), TreePMap.empty());
    return with(waiter.lane(), lane.plus(waiter.ticket(), waiter));
  }

  Line left(Waiter waiter) {
    TreePMap<Long, Waiter> lane = waiting.getOrDefault(waiter.lane(), TreePMap.empty());
    return with(waiter.lane(), lane.minus(waiter.ticket()));
  }

  /** The lane that was passed over most, and too often, by turns that others had. */
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
  Line granted(Turn next, Predicate<Lane> passedOver) {
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    waiting.forEach(
        (lane, line) -> {
          int before = lane == next.lane() ? 0 : passes.getOrDefault(lane, 0);
          counts.put(lane, lane != next.lane() && passedOver.test(lane) ? before + 1 : before);
        });
    return new Line(id, Optional.of(next), waiting, counts, from, settling);
  }

  Line returned() {
    return new Line(id, Optional.empty(), waiting, passes, from, settling);
  }

  /** Closed for longer, if the time is later. */
  Line closed(Instant until) {
    return new Line(id, turn, waiting, passes, until.isAfter(from) ? until : from, settling);
  }

  /** A write is unresolved, or still is. */
  Line unresolved(Instant now, Duration limit) {
    Settling next = settling.map(Settling::again).orElseGet(() -> Settling.begin(now, limit));
    return new Line(id, turn, waiting, passes, from, Optional.of(next))
        .closed(now.plus(next.pause()));
  }

  Line settled() {
    return new Line(id, turn, waiting, passes, from, Optional.empty());
  }

  private Line with(Lane lane, TreePMap<Long, Waiter> waiters) {
    Map<Lane, TreePMap<Long, Waiter>> next = new EnumMap<>(Lane.class);
    next.putAll(waiting);
    if (!waiters.isEmpty()) {
      next.put(lane, waiters);
      return new Line(id, turn, next, passes, from, settling);
    }
    next.remove(lane);
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    counts.putAll(passes);
    counts.remove(lane);
    return new Line(id, turn, next, counts, from, settling);
  }
}
