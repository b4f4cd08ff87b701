package io.poolkeeper.turnstile;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.Line.Waiter;
import java.time.Instant;
import java.util.Optional;

/**
 * Why somebody waits, and until when if nothing else happens: the questions of {@link
 * TurnstileStep}, asked without answering them. Those who wait behind another pool of a free load
 * balancer wait for what that one waits for.
 */
final class Explanation {
  private final TurnstileLimits limits;
  private final TurnstileState state;
  private final Instant now;
  private final WriteTokens writes;
  private final TokenBucket reads;
  private final int drains;

  Explanation(TurnstileLimits limits, TurnstileState state, Instant now) {
    this.limits = limits;
    this.state = state;
    this.now = now;
    this.writes = state.writes().at(now);
    this.reads = state.reads().at(now).bucket();
    this.drains = (int) state.out().values().stream().filter(id -> line(id).drains()).count();
  }

  /** What the first obstacle is. */
  Obstacle why(Waiter waiter) {
    Line line = line(waiter);
    if (line.turn().isPresent()) {
      return Obstacle.TURN;
    }
    if (line.gate().isAfter(now)) {
      return Obstacle.LOAD_BALANCER_GATE;
    }
    return line.from().isAfter(now) ? Obstacle.SETTLING : common(waiter.lane());
  }

  /** When that one is out of the way by itself; at the latest, if it is a turn. */
  Optional<Instant> until(Waiter waiter) {
    int others = state.out().size();
    Instant until =
        switch (why(waiter)) {
          case TURN -> deadline(line(waiter));
          case LOAD_BALANCER_GATE -> line(waiter).gate();
          case SETTLING -> line(waiter).from();
          case IN_FLIGHT -> deadline(line(state.out().firstEntry().getValue()));
          case SUBSCRIPTION_GATE, SLOW_START -> state.gates().nextChange(now);
          case READ_TOKENS -> reads.holdsAt(others + 1);
          case WRITE_TOKENS -> writes.allowAt(waiter.lane(), others, drains);
          case RETRY_BUDGET -> state.budget().nextWithdrawal(now).orElse(Instant.MAX);
          case NEXT -> Instant.MAX;
        };
    return Optional.of(until).filter(time -> time.isBefore(Instant.MAX));
  }

  private Obstacle common(Lane lane) {
    int others = state.out().size();
    if (others >= limits.maxInFlight()) {
      return Obstacle.IN_FLIGHT;
    }
    if (now.isBefore(state.gates().turnsFrom())) {
      return Obstacle.SUBSCRIPTION_GATE;
    }
    if (!state.gates().passable(now)) {
      return Obstacle.SLOW_START;
    }
    if (!reads.holds(others + 1)) {
      return Obstacle.READ_TOKENS;
    }
    if (!writes.allow(lane, others, drains)) {
      return Obstacle.WRITE_TOKENS;
    }
    boolean broke = lane.costsBudget() && !state.budget().canWithdraw(now);
    return broke ? Obstacle.RETRY_BUDGET : Obstacle.NEXT;
  }

  private Instant deadline(Line line) {
    return line.turn().map(turn -> turn.since().plus(limits.turnDeadline())).orElse(Instant.MAX);
  }

  private Line line(Waiter waiter) {
    return line(waiter.visitor().loadBalancer());
  }

  private Line line(LoadBalancerId id) {
    Line known = state.lines().get(id);
    return known == null ? Line.of(id) : known;
  }
}
