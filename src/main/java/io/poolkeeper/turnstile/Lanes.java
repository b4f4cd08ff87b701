package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The order of requests in one step: the lanes, and the load balancers that are free later.
 *
 * <p>Invariant: a load balancer whose turn is not in flight is, for every lane with a request for
 * it, in that lane or asleep.
 */
final class Lanes {
  private final Instant now;
  private TreePMap<Lane, LaneQueue> lanes;
  private TreePSet<Wake> asleep;

  /**
   * One lane.
   *
   * @param ready the load balancers whose turn may be had, by the ticket of their first request in
   *     it
   * @param passes how many turns in a row its head was passed over by
   */
  record LaneQueue(TreePMap<Long, LoadBalancerId> ready, int passes) {
    static final LaneQueue EMPTY = new LaneQueue(TreePMap.empty(), 0);

    private LaneQueue plus(long ticket, LoadBalancerId id) {
      return new LaneQueue(ready.plus(ticket, id), passes);
    }

    private LaneQueue minus(long ticket) {
      return new LaneQueue(ready.minus(ticket), passes);
    }

    private LaneQueue passed(int times) {
      return new LaneQueue(ready, times);
    }
  }

  /** When a load balancer may be had, and which, so that two may wake at once. */
  record Wake(Instant at, LoadBalancerId id) implements Comparable<Wake> {
    private static final Comparator<Wake> ORDER =
        Comparator.comparing(Wake::at).thenComparing(wake -> wake.id().path());

    @Override
    public int compareTo(Wake other) {
      return ORDER.compare(this, other);
    }
  }

  Lanes(TreePMap<Lane, LaneQueue> lanes, TreePSet<Wake> asleep, Instant now) {
    this.lanes = lanes;
    this.asleep = asleep;
    this.now = now;
  }

  static TreePMap<Lane, LaneQueue> empty() {
    TreePMap<Lane, LaneQueue> all = TreePMap.empty();
    for (Lane lane : Lane.values()) {
      all = all.plus(lane, LaneQueue.EMPTY);
    }
    return all;
  }

  TreePMap<Lane, LaneQueue> all() {
    return lanes;
  }

  TreePSet<Wake> asleep() {
    return asleep;
  }

  /** Those that need not wait any longer; they are found again when they are put in their place. */
  List<LoadBalancerId> wake() {
    List<LoadBalancerId> awake = new ArrayList<>();
    while (!asleep.isEmpty() && !asleep.first().at().isAfter(now)) {
      awake.add(asleep.first().id());
      asleep = asleep.minus(asleep.first());
    }
    return awake;
  }

  /** A load balancer changed, and gets the place that is its own now. */
  void place(LoadBalancerQueue before, LoadBalancerQueue after) {
    before
        .waiting()
        .forEach(
            (lane, requests) -> {
              asleep = asleep.minus(new Wake(before.from(lane), before.id()));
              put(lane, of(lane).minus(requests.firstKey()));
            });
    if (after.turn().isEmpty()) {
      after.waiting().forEach((lane, requests) -> place(lane, requests.firstKey(), after));
    }
  }

  private void place(Lane lane, long ticket, LoadBalancerQueue balancer) {
    Instant from = balancer.from(lane);
    if (from.isAfter(now)) {
      asleep = asleep.plus(new Wake(from, balancer.id()));
    } else {
      put(lane, of(lane).plus(ticket, balancer.id()));
    }
  }

  /** The lanes with a request that could be granted, the most urgent first. */
  static Stream<Lane> occupied(Map<Lane, LaneQueue> lanes) {
    return lanes.entrySet().stream()
        .filter(lane -> !lane.getValue().ready().isEmpty())
        .map(Map.Entry::getKey);
  }

  /** The first load balancer of a lane that is occupied. */
  LoadBalancerId first(Lane lane) {
    return of(lane).ready().firstEntry().getValue();
  }

  /**
   * The most urgent lane that may go, unless another one is starved.
   *
   * @param order the most urgent first
   */
  Optional<Lane> choose(List<Lane> order, Predicate<Lane> mayGo) {
    Optional<Lane> best = Optional.empty();
    Optional<Lane> starved = Optional.empty();
    for (Lane lane : order) {
      if (of(lane).ready().isEmpty() || !mayGo.test(lane)) {
        continue;
      }
      if (best.isEmpty()) {
        best = Optional.of(lane);
      }
      int most = starved.map(found -> of(found).passes()).orElse(0);
      int passed = of(lane).passes();
      if (passed >= TurnstileLimits.MOST_PASSES && passed > most) {
        starved = Optional.of(lane);
      }
    }
    return best.equals(Optional.of(Lane.DRAIN)) || starved.isEmpty() ? best : starved;
  }

  /**
   * The lane that was chosen starts again at none, even if another one has the turn: its head is
   * late at its load balancer now, where that is counted. So does a lane whose head is served.
   */
  void countPasses(Lane chosen, Lane granted, LoadBalancerId balancer, Predicate<Lane> mayGo) {
    for (Lane lane : Lane.values()) {
      LaneQueue queue = of(lane);
      boolean headIsServed = lane == granted && balancer.equals(first(lane));
      if (lane == chosen || headIsServed) {
        put(lane, queue.passed(0));
      } else if (lane.ages()
          && granted != Lane.DRAIN
          && !queue.ready().isEmpty()
          && mayGo.test(lane)) {
        put(lane, queue.passed(queue.passes() + 1));
      }
    }
  }

  private void put(Lane lane, LaneQueue queue) {
    lanes = lanes.plus(lane, queue);
  }

  private LaneQueue of(Lane lane) {
    return lanes.getOrDefault(lane, LaneQueue.EMPTY);
  }
}
