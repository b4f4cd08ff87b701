package io.poolkeeper.ratelimit;

import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.pcollections.TreePSet;

/**
 * How often waiting requests were passed over, at one load balancer or at all of them. A request
 * that was passed over too often goes first, so that none starves. A lane is passed over by more
 * urgent lanes, a namespace by other namespaces of the lane, and a drain by later drains with a
 * larger {@link Share}.
 *
 * <p>Requests get tickets, whose numbers grow with time. A drain was therefore passed over once for
 * each drain with a larger ticket that has had the turn. The few largest tickets suffice to say
 * this of every drain that waits.
 *
 * @param lanes per lane that waits, how many turns in a row went to other lanes
 * @param drains the largest tickets of drains that had the turn, {@link
 *     RateLimiterLimits#MOST_DRAINS_PASSED_OVER} of them at most
 * @param rounds the turns of the namespaces in each lane
 */
record Ageing(Map<Lane, Integer> lanes, TreePSet<Long> drains, Map<Lane, RoundRobin> rounds) {
  static final Ageing NONE = new Ageing(Map.of(), TreePSet.empty(), Map.of());

  /** The lane that was passed over most often of those that may go, if it is starved. */
  Optional<Lane> starved(Collection<Lane> mayGo) {
    return mayGo.stream()
        .filter(lane -> times(lane) >= RateLimiterLimits.MOST_PASSED_OVER)
        .max(Comparator.comparingInt(this::times));
  }

  /** How many turns in a row went to other lanes. */
  int times(Lane lane) {
    return lanes.getOrDefault(lane, 0);
  }

  /** Whether a drain was passed over too often. The oldest drain is always among those. */
  boolean starved(long ticket) {
    return drains.size() == RateLimiterLimits.MOST_DRAINS_PASSED_OVER && ticket < drains.first();
  }

  /**
   * A turn was granted.
   *
   * @param waiting the lanes that are counted
   * @param served those of them that start again at none
   * @param passedOver those that could have had it
   */
  Ageing granted(Set<Lane> waiting, Set<Lane> served, Set<Lane> passedOver) {
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    for (Lane lane : waiting) {
      if (lane.ages()) {
        int times = times(lane) + (passedOver.contains(lane) ? 1 : 0);
        counts.put(lane, served.contains(lane) ? 0 : times);
      }
    }
    return new Ageing(counts, drains, rounds);
  }

  /** A drain had the turn. */
  Ageing drained(long ticket) {
    TreePSet<Long> tickets = drains.plus(ticket);
    boolean full = tickets.size() > RateLimiterLimits.MOST_DRAINS_PASSED_OVER;
    return new Ageing(lanes, full ? tickets.minus(tickets.first()) : tickets, rounds);
  }

  /** Requests of a lane by how long ago their namespaces were served in it, the longest first. */
  Comparator<Request> round(Lane lane) {
    RoundRobin round = rounds.getOrDefault(lane, RoundRobin.NONE);
    return Comparator.comparingLong(request -> round.last(request.priority().namespace()));
  }

  /** The order of a lane: of the namespace that was served longest ago the oldest request. */
  Comparator<Request> order(Lane lane) {
    return round(lane).thenComparingLong(Request::ticket);
  }

  /** The request had the turn of that number. Drains know no round. */
  Ageing served(Request request, long turn) {
    Lane lane = request.lane();
    if (lane.drains()) {
      return this;
    }
    RoundRobin before = rounds.getOrDefault(lane, RoundRobin.NONE);
    Map<Lane, RoundRobin> next = new EnumMap<>(Lane.class);
    next.putAll(rounds);
    next.put(lane, before.served(request.priority().namespace(), turn));
    return new Ageing(lanes, drains, next);
  }

  /** Nobody waits in the lane any more. Its round goes on as soon as somebody does. */
  Ageing without(Lane lane) {
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    counts.putAll(lanes);
    counts.remove(lane);
    return new Ageing(counts, drains, rounds);
  }
}
