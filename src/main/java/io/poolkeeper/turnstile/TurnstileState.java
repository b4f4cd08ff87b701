package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The turns that are out and who waits for one, in order. Invariants: a load balancer has at most
 * one turn out; a visitor waits at most once; a load balancer without a turn has nobody waiting.
 *
 * @param nextTurn the number of the next turn; numbers never repeat
 */
record TurnstileState(Map<LoadBalancerId, Line> lines, long nextTurn) {
  static final TurnstileState EMPTY = new TurnstileState(Map.of(), 1);

  TurnstileState {
    lines = Map.copyOf(lines);
  }

  /** One incarnation of a pool's actor: a pool that was stopped and begun again is another one. */
  record Visitor(PoolId pool, long incarnation) {
    LoadBalancerId loadBalancer() {
      return pool.loadBalancer();
    }
  }

  /** A turn that is out. */
  record Turn(long number, Visitor holder) {}

  /** One load balancer: who has the turn, and who waits behind. */
  record Line(Turn turn, List<Visitor> waiting) {
    Line {
      waiting = List.copyOf(waiting);
    }

    Line withWaiter(Visitor visitor) {
      List<Visitor> next = new ArrayList<>(waiting);
      next.add(visitor);
      return new Line(turn, next);
    }

    Line withoutWaiter(Visitor visitor) {
      return new Line(turn, waiting.stream().filter(waiter -> !waiter.equals(visitor)).toList());
    }
  }

  Optional<Line> line(LoadBalancerId loadBalancer) {
    return Optional.ofNullable(lines.get(loadBalancer));
  }

  TurnstileState with(LoadBalancerId loadBalancer, Line line) {
    Map<LoadBalancerId, Line> next = new HashMap<>(lines);
    next.put(loadBalancer, line);
    return new TurnstileState(next, Math.max(nextTurn, line.turn().number() + 1));
  }

  TurnstileState without(LoadBalancerId loadBalancer) {
    Map<LoadBalancerId, Line> next = new HashMap<>(lines);
    next.remove(loadBalancer);
    return new TurnstileState(next, nextTurn);
  }
}
