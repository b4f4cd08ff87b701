package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.TurnstileState.Wake;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.pcollections.TreePMap;

/**
 * The part of one step that knows who is first: per lane, the load balancers whose turn may be had
 * by the ticket of their first waiter in it, and how many turns in a row went to others; and those
 * whose turn may be had later.
 *
 * <p>Invariant: a load balancer is in every lane in which somebody waits for it, or it is asleep,
 * or nobody waits or its turn is out.
 */
@SuppressWarnings("EnumOrdinal") // The order of the lanes is their rank, and lists are by lane.
final class Lanes {
  private final List<TreePMap<Long, LoadBalancerId>> ready;
  private final List<Integer> passes;
  private final Instant now;
  private TreePMap<Wake, LoadBalancerId> asleep;

  Lanes(TurnstileState state, Instant now) {
    this.now = now;
    asleep = state.asleep();
    ready = new ArrayList<>(state.ready());
    passes = new ArrayList<>(state.passes());
  }

  List<TreePMap<Long, LoadBalancerId>> ready() {
    return List.copyOf(ready);
  }

  List<Integer> passes() {
    return List.copyOf(passes);
  }

  TreePMap<Wake, LoadBalancerId> asleep() {
    return asleep;
  }

  /** Those that need not wait any longer; they are found again when they are put in their place. */
  List<LoadBalancerId> wake() {
    List<LoadBalancerId> awake = new ArrayList<>();
    while (!asleep.isEmpty() && !asleep.firstKey().at().isAfter(now)) {
      awake.add(asleep.firstEntry().getValue());
      asleep = asleep.minus(asleep.firstKey());
    }
    return awake;
  }

  Optional<Instant> nextWake() {
    return asleep.isEmpty() ? Optional.empty() : Optional.of(asleep.firstKey().at());
  }

  /** A load balancer changed, and gets the place that is its own now. */
  void place(Line before, Line after) {
    asleep = asleep.minus(new Wake(before.from(), before.id().path()));
    for (Lane lane : Lane.values()) {
      before.head(lane).ifPresent(ticket -> set(lane, of(lane).minus(ticket)));
    }
    if (after.turn().isPresent() || after.waiting().isEmpty()) {
      return;
    }
    if (after.from().isAfter(now)) {
      asleep = asleep.plus(new Wake(after.from(), after.id().path()), after.id());
    } else {
      after
          .waiting()
          .forEach((lane, line) -> set(lane, of(lane).plus(line.firstKey(), after.id())));
    }
  }

  /** The lanes with somebody who could have a turn, the most urgent first. */
  Stream<Lane> occupied() {
    return Arrays.stream(Lane.values()).filter(lane -> !of(lane).isEmpty());
  }

  /** The first load balancer of a lane that is occupied. */
  LoadBalancerId first(Lane lane) {
    return of(lane).firstEntry().getValue();
  }

  /** The most urgent lane that may go, unless a lesser one was passed over too often. */
  Optional<Lane> choose(Predicate<Lane> mayGo) {
    Optional<Lane> best = Optional.empty();
    Optional<Lane> starved = Optional.empty();
    for (Lane lane : Lane.values()) {
      if (of(lane).isEmpty() || !mayGo.test(lane)) {
        continue;
      }
      if (best.isEmpty()) {
        best = Optional.of(lane);
      }
      int most = starved.map(found -> passes.get(found.ordinal())).orElse(0);
      int passed = passes.get(lane.ordinal());
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
      boolean headIsServed = lane == granted && balancer.equals(first(lane));
      if (lane == chosen || headIsServed) {
        passes.set(lane.ordinal(), 0);
      } else if (granted != Lane.DRAIN && !of(lane).isEmpty() && mayGo.test(lane)) {
        passes.set(lane.ordinal(), passes.get(lane.ordinal()) + 1);
      }
    }
  }

  private TreePMap<Long, LoadBalancerId> of(Lane lane) {
    return ready.get(lane.ordinal());
  }

  private void set(Lane lane, TreePMap<Long, LoadBalancerId> next) {
    ready.set(lane.ordinal(), next);
  }
}
