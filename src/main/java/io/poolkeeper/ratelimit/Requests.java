package io.poolkeeper.ratelimit;

import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Turn;
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
 * The requests for the turn of one load balancer.
 *
 * @param lanes those that are not empty
 * @param ageing of those who wait here while others have the turn
 */
record Requests(Map<Lane, Line> lanes, Ageing ageing) {
  static final Requests NONE = new Requests(Map.of(), Ageing.NONE);

  /** The order of drains: the largest share last; of equal shares, the oldest last. */
  private static final Comparator<Request> BY_SHARE =
      Comparator.comparing((Request request) -> request.priority().share())
          .thenComparing(Request::ticket, Comparator.reverseOrder());

  Stream<Request> all() {
    return lanes.values().stream().flatMap(Line::all);
  }

  /** The request of one requester. */
  Optional<Request> of(Requester requester) {
    for (Line line : lanes.values()) {
      Optional<Request> found = line.of(requester);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  Line line(Lane lane) {
    return lanes.getOrDefault(lane, Line.EMPTY);
  }

  /**
   * The request of a lane that is granted next: of the namespace that was served longest ago here,
   * or else anywhere, the oldest. Of drains, the largest share goes first, unless the oldest was
   * passed over too often. All namespaces or drains of the load balancer are compared, once per
   * turn.
   *
   * @param everywhere what is known of all load balancers
   * @param mayGo which drains may; one does at least
   */
  Request next(Lane lane, Ageing everywhere, Predicate<Request> mayGo) {
    Line line = line(lane);
    if (lane.drains()) {
      List<Request> drains = line.all().filter(mayGo).toList();
      Request oldest = drains.getFirst();
      return ageing.starved(oldest.ticket()) ? oldest : Collections.max(drains, BY_SHARE);
    }
    return line.first(ageing.round(lane).thenComparing(everywhere.order(lane)));
  }

  Requests with(Request request) {
    return with(request.lane(), line(request.lane()).with(request));
  }

  Requests without(Request request) {
    return with(request.lane(), line(request.lane()).without(request));
  }

  private Requests with(Lane lane, Line line) {
    Map<Lane, Line> next = new EnumMap<>(Lane.class);
    next.putAll(lanes);
    if (line.isEmpty()) {
      next.remove(lane);
      return new Requests(next, ageing.without(lane));
    }
    next.put(lane, line);
    return new Requests(next, ageing);
  }

  /** One request has the turn; {@code passedOver} are the lanes that could have had it. */
  Requests granted(Turn turn, Request request, Set<Lane> passedOver) {
    Requests left = without(request);
    Ageing next = left.ageing.granted(left.lanes.keySet(), Set.of(turn.lane()), passedOver);
    return new Requests(
        left.lanes,
        turn.lane().drains()
            ? next.drained(request.ticket())
            : next.served(request, turn.number()));
  }
}
