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
  private final Admission admission;

  Explanation(TurnstileLimits limits, TurnstileState state, Instant now) {
    this.limits = limits;
    this.state = state;
    this.now = now;
    this.admission = Admission.of(limits, state, now);
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
    return line.from().isAfter(now) ? Obstacle.SETTLING : admission.obstacle(waiter.lane());
  }

  /** When that one is out of the way by itself; at the latest, if it is a turn. */
  Optional<Instant> until(Waiter waiter) {
    Instant until =
        switch (why(waiter)) {
          case TURN -> deadline(line(waiter));
          case LOAD_BALANCER_GATE -> line(waiter).gate();
          case SETTLING -> line(waiter).from();
          case IN_FLIGHT -> deadline(line(state.out().firstEntry().getValue()));
          case SUBSCRIPTION_GATE, SLOW_START -> admission.gatesPassAt();
          case READ_TOKENS -> admission.readsHoldAt();
          case WRITE_TOKENS -> admission.writesAllowAt(waiter.lane());
          case RETRY_BUDGET -> admission.budgetAllowsAt();
          case NEXT -> Instant.MAX;
        };
    return Optional.of(until).filter(time -> time.isBefore(Instant.MAX));
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
