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
 * that was passed over too often goes first, so that none starves. A priority level is passed over
 * by more urgent priority levels, a namespace by other namespaces of the priority level, and a
 * drain by later drains with a larger {@link Share}.
 *
 * <p>Requests get tickets, whose numbers grow with time. A drain was therefore passed over once for
 * each drain with a larger ticket that has had the permit. The few largest tickets suffice to say
 * this of every drain that waits.
 *
 * @param levels per priority level that waits, how many permits in a row went to other priority
 *     levels
 * @param drains the largest tickets of drains that had the permit, {@link
 *     RateLimiterLimits#MOST_DRAINS_PASSED_OVER} of them at most
 * @param rounds the permits of the namespaces at each priority level
 */
record Ageing(
    Map<PriorityLevel, Integer> levels,
    TreePSet<Long> drains,
    Map<PriorityLevel, RoundRobin> rounds) {
  static final Ageing NONE = new Ageing(Map.of(), TreePSet.empty(), Map.of());

  /** The priority level that was passed over most often of those that may go, if it is starved. */
  Optional<PriorityLevel> starved(Collection<PriorityLevel> mayGo) {
    return mayGo.stream()
        .filter(level -> passedOver(level) >= RateLimiterLimits.MOST_PASSED_OVER)
        .max(Comparator.comparingInt(this::passedOver));
  }

  /** How many permits in a row went to other priority levels. */
  int passedOver(PriorityLevel level) {
    return levels.getOrDefault(level, 0);
  }

  /** Whether a drain was passed over too often. The oldest drain is always among those. */
  boolean starved(long ticket) {
    return drains.size() == RateLimiterLimits.MOST_DRAINS_PASSED_OVER && ticket < drains.first();
  }

  /**
   * A permit was granted.
   *
   * @param waiting the priority levels that are counted
   * @param served those of them that start again at none
   * @param passedOver those that could have had it
   */
  Ageing granted(
      Set<PriorityLevel> waiting, Set<PriorityLevel> served, Set<PriorityLevel> passedOver) {
    Map<PriorityLevel, Integer> counts = new EnumMap<>(PriorityLevel.class);
    for (PriorityLevel level : waiting) {
      if (level.ages()) {
        int times = passedOver(level) + (passedOver.contains(level) ? 1 : 0);
        counts.put(level, served.contains(level) ? 0 : times);
      }
    }
    return new Ageing(counts, drains, rounds);
  }

  /** A drain had the permit. */
  Ageing drained(long ticket) {
    TreePSet<Long> tickets = drains.plus(ticket);
    boolean full = tickets.size() > RateLimiterLimits.MOST_DRAINS_PASSED_OVER;
    return new Ageing(levels, full ? tickets.minus(tickets.first()) : tickets, rounds);
  }

  /**
   * Requests of a priority level by how long ago their namespaces were served in it, the longest
   * first.
   */
  Comparator<Request> byNamespace(PriorityLevel level) {
    RoundRobin round = rounds.getOrDefault(level, RoundRobin.NONE);
    return Comparator.comparingLong(request -> round.last(request.priority().namespace()));
  }

  /**
   * The order of a priority level: of the namespace that was served longest ago the oldest request.
   */
  Comparator<Request> order(PriorityLevel level) {
    return byNamespace(level).thenComparingLong(Request::ticket);
  }

  /** The request had the permit of that number. Drains do not take turns by namespace. */
  Ageing served(Request request, long permit) {
    PriorityLevel level = request.level();
    if (level.drains()) {
      return this;
    }
    RoundRobin before = rounds.getOrDefault(level, RoundRobin.NONE);
    Map<PriorityLevel, RoundRobin> next = new EnumMap<>(PriorityLevel.class);
    next.putAll(rounds);
    next.put(level, before.served(request.priority().namespace(), permit));
    return new Ageing(levels, drains, next);
  }

  /** Nobody waits at the priority level any more. Its round goes on as soon as somebody does. */
  Ageing without(PriorityLevel level) {
    Map<PriorityLevel, Integer> counts = new EnumMap<>(PriorityLevel.class);
    counts.putAll(levels);
    counts.remove(level);
    return new Ageing(counts, drains, rounds);
  }
}
