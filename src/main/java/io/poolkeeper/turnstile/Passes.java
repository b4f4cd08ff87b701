package io.poolkeeper.turnstile;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** The lane that was passed over most often of those that may go, if it is starved. */
  Optional<Lane> starved(Collection<Lane> mayGo) {
    return mayGo.stream()
        .filter(lane -> times(lane) >= TurnstileLimits.MOST_PASSES)
        .max(Comparator.comparingInt(this::times));
  }

  /** How many turns in a row went to other lanes. */
  int times(Lane lane) {
    return lanes.getOrDefault(lane, 0);
  }

  /** Whether a drain was passed over too often. The oldest drain is always among those. */
  boolean starved(long ticket) {
    return drains.size() == TurnstileLimits.MOST_DRAIN_PASSES && ticket < drains.first();
  }

  /**
   * A turn was granted.
   *
   * @param waiting the lanes that are counted
   * @param served those of them that start again at none
   * @param passedOver those that could have had it
   */
  Passes granted(Set<Lane> waiting, Set<Lane> served, Set<Lane> passedOver) {
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    for (Lane lane : waiting) {
      if (lane.ages()) {
        int times = times(lane) + (passedOver.contains(lane) ? 1 : 0);
        counts.put(lane, served.contains(lane) ? 0 : times);
      }
    }
    return new Passes(counts, drains);
  }

  /** A drain had the turn. */
  Passes drained(long ticket) {
    TreePSet<Long> tickets = drains.plus(ticket);
    boolean full = tickets.size() > TurnstileLimits.MOST_DRAIN_PASSES;
    return new Passes(lanes, full ? tickets.minus(tickets.first()) : tickets);
  }

  /** Nobody waits in the lane any more. */
  Passes without(Lane lane) {
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    counts.putAll(lanes);
    counts.remove(lane);
    return new Passes(counts, drains);
  }
}
