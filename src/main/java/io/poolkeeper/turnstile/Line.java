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
 * @param gate ARM takes no calls for it before this
 * @param settling present while a write is unresolved
 * @param freeSince when its last turn came back, as far as somebody could still have waited for it
 */
public record Line(
    LoadBalancerId id,
    Optional<Turn> turn,
    Map<Lane, TreePMap<Long, Waiter>> waiting,
    Map<Lane, Integer> passes,
    Instant gate,
    Optional<Settling> settling,
    Instant freeSince) {

  /** A turn that is out. */
  record Turn(long number, Visitor holder, Lane lane, Instant since) {}

  /** Who waits, in which lane, and since when. Tickets are numbered as they are drawn. */
  record Waiter(Visitor visitor, Lane lane, long ticket, Instant since) {}

  /**
   * A write whose end nobody knows.
   *
   * @param until then ARM decides
   * @param pause from the last look to the next
   * @param next look, not before this
   */
  record Settling(Instant until, Duration pause, Instant next) {
    static Settling begin(Instant now, Duration limit) {
      Duration first = TurnstileLimits.FIRST_PROBE;
      return new Settling(now.plus(limit), first, now.plus(first));
    }

    Settling again(Instant now) {
      Duration twice = pause.multipliedBy(2);
      boolean most = twice.compareTo(TurnstileLimits.LAST_PROBE) > 0;
      Duration longer = most ? TurnstileLimits.LAST_PROBE : twice;
      return new Settling(until, longer, now.plus(longer));
    }

    /** Whether the pauses do not grow any more. */
    boolean slowest() {
      return pause.equals(TurnstileLimits.LAST_PROBE);
    }
  }

  static Line of(LoadBalancerId id) {
    return new Line(
        id, Optional.empty(), Map.of(), Map.of(), Instant.EPOCH, Optional.empty(), Instant.EPOCH);
  }

  /** Its turn may be had from then on: the gate is open, and a next look is due. */
  Instant from() {
    return settling.map(Settling::next).filter(next -> next.isAfter(gate)).orElse(gate);
  }

  /** Since when nothing about this load balancer keeps the waiter waiting, if nothing does. */
  Instant readySince(Waiter waiter) {
    Instant free = from().isAfter(freeSince) ? from() : freeSince;
    return waiter.since().isAfter(free) ? waiter.since() : free;
  }

  /** Whether nothing is known of it that somebody could miss. */
  boolean forgettable(Instant now) {
    return turn.isEmpty() && waiting.isEmpty() && settling.isEmpty() && !gate.isAfter(now);
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
    return new Line(id, Optional.of(next), waiting, counts, gate, settling, freeSince);
  }

  Line returned() {
    return new Line(id, Optional.empty(), waiting, passes, gate, settling, freeSince);
  }

  /** With the time noted if a turn came back in this change. */
  Line freed(Line before, Instant now) {
    boolean came = before.turn.isPresent() && turn.isEmpty();
    return came ? new Line(id, turn, waiting, passes, gate, settling, now) : this;
  }

  /** Closed for longer, if the time is later. */
  Line closed(Instant until) {
    return until.isAfter(gate)
        ? new Line(id, turn, waiting, passes, until, settling, freeSince)
        : this;
  }

  /** A write is unresolved, or still is. */
  Line unresolved(Instant now, Duration limit) {
    Settling next =
        settling.map(before -> before.again(now)).orElseGet(() -> Settling.begin(now, limit));
    return new Line(id, turn, waiting, passes, gate, Optional.of(next), freeSince);
  }

  Line settled() {
    return new Line(id, turn, waiting, passes, gate, Optional.empty(), freeSince);
  }

  private Line with(Lane lane, TreePMap<Long, Waiter> waiters) {
    Map<Lane, TreePMap<Long, Waiter>> next = new EnumMap<>(Lane.class);
    next.putAll(waiting);
    if (!waiters.isEmpty()) {
      next.put(lane, waiters);
      return new Line(id, turn, next, passes, gate, settling, freeSince);
    }
    next.remove(lane);
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    counts.putAll(passes);
    counts.remove(lane);
    return new Line(id, turn, next, counts, gate, settling, freeSince);
  }
}
