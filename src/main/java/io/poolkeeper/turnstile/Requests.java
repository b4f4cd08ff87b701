package io.poolkeeper.turnstile;

import io.poolkeeper.turnstile.LoadBalancerQueue.Request;
import io.poolkeeper.turnstile.LoadBalancerQueue.Turn;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.pcollections.TreePMap;

/**
 * The requests for the turn of one load balancer.
 *
 * @param lanes each in the order of its tickets; no lane is empty
 * @param passes who waits although others had the turn
 */
record Requests(Map<Lane, TreePMap<Long, Request>> lanes, Passes passes) {
  static final Requests NONE = new Requests(Map.of(), Passes.NONE);

  /** The order of drains: the largest share last; of equal shares, the oldest last. */
  private static final Comparator<Request> BY_SHARE =
      Comparator.comparing((Request request) -> request.priority().share())
          .thenComparing(Request::ticket, Comparator.reverseOrder());

  Stream<Request> all() {
    return lanes.values().stream().flatMap(lane -> lane.values().stream());
  }

  /** The request of one requester. Incarnations come first, as most of them differ. */
  Optional<Request> of(Requester requester) {
    for (TreePMap<Long, Request> lane : lanes.values()) {
      for (Request one : lane.values()) {
        if (one.requester().incarnation() == requester.incarnation()
            && one.requester().equals(requester)) {
          return Optional.of(one);
        }
      }
    }
    return Optional.empty();
  }

  /** The oldest request of a lane that is not empty. */
  Request oldest(Lane lane) {
    return lane(lane).firstEntry().getValue();
  }

  private TreePMap<Long, Request> lane(Lane lane) {
    return lanes.getOrDefault(lane, TreePMap.empty());
  }

  /**
   * The request of a lane that is granted next: the oldest. Of drains, the largest share goes
   * first, unless the oldest was passed over too often. All drains of the load balancer are
   * compared, once per write.
   */
  Request next(Lane lane) {
    Request oldest = oldest(lane);
    return !lane.drains() || passes.starved(oldest.ticket())
        ? oldest
        : lane(lane).values().stream().max(BY_SHARE).orElse(oldest);
  }

  Requests with(Request request) {
    return with(request.lane(), lane(request.lane()).plus(request.ticket(), request));
  }

  Requests without(Request request) {
    return with(request.lane(), lane(request.lane()).minus(request.ticket()));
  }

  private Requests with(Lane lane, TreePMap<Long, Request> requests) {
    Map<Lane, TreePMap<Long, Request>> next = new EnumMap<>(Lane.class);
    next.putAll(lanes);
    if (requests.isEmpty()) {
      next.remove(lane);
      return new Requests(next, passes.without(lane));
    }
    next.put(lane, requests);
    return new Requests(next, passes);
  }

  /** One request has the turn; {@code passedOver} are the lanes that could have had it. */
  Requests granted(Turn turn, Request request, Set<Lane> passedOver) {
    Requests left = without(request);
    Passes next = left.passes.granted(left.lanes.keySet(), Set.of(turn.lane()), passedOver);
    return new Requests(left.lanes, turn.lane().drains() ? next.drained(request.ticket()) : next);
  }
}
