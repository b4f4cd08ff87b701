package io.poolkeeper.turnstile;

import io.poolkeeper.turnstile.LoadBalancerQueue.Request;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a request waits, and until when if nothing else happens: the conditions of {@link
 * TurnstileStep}, without a grant. A request behind another one of a free load balancer waits for
 * the same obstacle.
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

  Obstacle why(Request request) {
    LoadBalancerQueue queue = queue(request);
    if (queue.turn().isPresent()) {
      return Obstacle.TURN;
    }
    if (queue.gate().isAfter(now)) {
      return Obstacle.LOAD_BALANCER_GATE;
    }
    if (queue.from().isAfter(now)) {
      return Obstacle.SETTLING;
    }
    if (queue.from(request.lane()).isAfter(now)) {
      return Obstacle.EARLY_PAUSE;
    }
    Obstacle found = admission.obstacle(request.lane());
    return found == Obstacle.NEXT && !state.lease().open(request.lane(), now)
        ? Obstacle.LEASE
        : found;
  }

  String text(Obstacle why) {
    return why == Obstacle.LEASE
        ? state.lease().problem().orElse(Obstacle.LEASE.text())
        : why.text();
  }

  /** When that one is out of the way by itself; at the latest, if it is a turn. */
  Optional<Instant> until(Request request, Obstacle why) {
    Instant until =
        switch (why) {
          case TURN -> state.deadline(request.requester().loadBalancer(), limits);
          case LOAD_BALANCER_GATE -> queue(request).gate();
          case SETTLING -> queue(request).from();
          case EARLY_PAUSE -> queue(request).from(request.lane());
          case IN_FLIGHT -> state.deadline(state.out().firstEntry().getValue(), limits);
          case SUBSCRIPTION_GATE, SLOW_START -> admission.gatesPassAt();
          case READ_TOKENS -> admission.readsHoldAt();
          case WRITE_TOKENS -> admission.writesAllowAt(request.lane());
          case EARLY_TOKENS -> admission.earlyHoldsAt();
          case RETRY_BUDGET -> admission.budgetAllowsAt();
          case LEASE -> state.lease().freeFrom(request, now);
          case NEXT -> Instant.MAX;
        };
    return Optional.of(until).filter(time -> time.isBefore(Instant.MAX));
  }

  private LoadBalancerQueue queue(Request request) {
    return state.queue(request.requester().loadBalancer());
  }
}
