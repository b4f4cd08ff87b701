package io.poolkeeper.turnstile;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.pcollections.TreePSet;

/**
 * Who was passed over at one load balancer, so that nobody starves: lanes by more urgent ones, and
 * drains by drains of other pools that came later and have a larger share.
 *
 * <p>Tickets grow with time, so a drain was passed over by as many as had the turn with a larger
 * one: the largest few of those tickets are all that has to be remembered, for every drain at once.
 *
 * @param lanes per lane that waits, how many turns in a row went to other lanes
 * @param drains the largest tickets of drains that had the turn, {@link
 *     TurnstileLimits#MOST_DRAIN_PASSES} of them at most
 */
record Passes(Map<Lane, Integer> lanes, TreePSet<Long> drains) {
  static final Passes NONE = new Passes(Map.of(), TreePSet.empty());

  /** The starved lane that was passed over most often by other lanes, if there is one. */
  Optional<Lane> starved(Predicate<Lane> mayGo) {
    return lanes.entrySet().stream()
        .filter(
            entry -> entry.getValue() >= TurnstileLimits.MOST_PASSES && mayGo.test(entry.getKey()))
        .max(Map.Entry.<Lane, Integer>comparingByValue())
        .map(Map.Entry::getKey);
  }

  /** Whether a drain was passed over as often as may be. If any was, the oldest was, too. */
  boolean starved(long ticket) {
    return drains.size() == TurnstileLimits.MOST_DRAIN_PASSES && ticket < drains.first();
  }

  /**
   * A request has the turn.
   *
   * @param waiting the lanes with requests that do not
   * @param passedOver lanes that could have had it
   */
  Passes granted(Lane granted, long ticket, Set<Lane> waiting, Predicate<Lane> passedOver) {
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    for (Lane lane : waiting) {
      if (lane.ages()) {
        int before = lane == granted ? 0 : lanes.getOrDefault(lane, 0);
        counts.put(lane, lane != granted && passedOver.test(lane) ? before + 1 : before);
      }
    }
    TreePSet<Long> tickets = granted.drains() ? drains.plus(ticket) : drains;
    boolean full = tickets.size() > TurnstileLimits.MOST_DRAIN_PASSES;
    return new Passes(counts, full ? tickets.minus(tickets.first()) : tickets);
  }

  /** Nobody waits in the lane any more. */
  Passes without(Lane lane) {
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    counts.putAll(lanes);
    counts.remove(lane);
    return new Passes(counts, drains);
  }
}
