package io.poolkeeper.ratelimit;

import io.poolkeeper.ratelimit.LoadBalancerQueue.Permit;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The requests for the permit of one load balancer.
 *
 * @param levels those that are not empty
 * @param ageing of those who wait here while others have the permit
 */
record Requests(Map<PriorityLevel, Line> levels, Ageing ageing) {
  static final Requests NONE = new Requests(Map.of(), Ageing.NONE);

  /** The order of drains: the largest share last; of equal shares, the oldest last. */
  private static final Comparator<Request> BY_SHARE =
      Comparator.comparing((Request request) -> request.priority().share())
          .thenComparing(Request::ticket, Comparator.reverseOrder());

  Stream<Request> all() {
    return levels.values().stream().flatMap(Line::all);
  }

  /** The request of one requester. */
  Optional<Request> requestOf(Requester requester) {
    for (Line line : levels.values()) {
      Optional<Request> found = line.requestOf(requester);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  Line line(PriorityLevel level) {
    return levels.getOrDefault(level, Line.EMPTY);
  }

  /**
   * The request of a priority level that is granted next: of the namespace that was served longest
   * ago here, or else anywhere, the oldest. Of drains, the largest share goes first, unless the
   * oldest was passed over too often. All namespaces or drains of the load balancer are compared,
   * once per permit.
   *
   * @param everywhere what is known of all load balancers
   * @param mayGo which drains may; one does at least
   */
  Request next(PriorityLevel level, Ageing everywhere, Predicate<Request> mayGo) {
    Line line = line(level);
    if (level.drains()) {
      List<Request> drains = line.all().filter(mayGo).toList();
      Request oldest = drains.getFirst();
      return ageing.starved(oldest.ticket()) ? oldest : Collections.max(drains, BY_SHARE);
    }
    return line.first(ageing.byNamespace(level).thenComparing(everywhere.order(level)));
  }

  Requests with(Request request) {
    return with(request.level(), line(request.level()).with(request));
  }

  Requests without(Request request) {
    return with(request.level(), line(request.level()).without(request));
  }

  private Requests with(PriorityLevel level, Line line) {
    Map<PriorityLevel, Line> next = new EnumMap<>(PriorityLevel.class);
    next.putAll(levels);
    if (line.isEmpty()) {
      next.remove(level);
      return new Requests(next, ageing.without(level));
    }
    next.put(level, line);
    return new Requests(next, ageing);
  }

  /**
   * One request has the permit; {@code passedOver} are the priority levels that could have had it.
   */
  Requests granted(Permit permit, Request request, Set<PriorityLevel> passedOver) {
    Requests left = without(request);
    Ageing next = left.ageing.granted(left.levels.keySet(), Set.of(permit.level()), passedOver);
    return new Requests(
        left.levels,
        permit.level().drains()
            ? next.drained(request.ticket())
            : next.served(request, permit.number()));
  }
}
