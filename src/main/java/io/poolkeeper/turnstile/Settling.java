package io.poolkeeper.turnstile;

import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A load balancer waits until a write of one of its pools is over: ours of an unknown end, or
 * another client's (ADR 14). No turn is granted meanwhile, so at most one pool of a load balancer
 * is waited for. The turnstile looks at the pool itself.
 *
 * @param until then turns are granted all the same, and ARM decides
 * @param pause from the last look to the next
 * @param next look, not before this
 * @param look the number of the look in flight
 */
public record Settling(
    PoolId pool, Instant until, Duration pause, Instant next, Optional<Long> look) {
  static Settling begin(PoolId pool, Instant now, Duration limit) {
    Duration first = TurnstileLimits.FIRST_LOOK;
    return new Settling(pool, now.plus(limit), first, now.plus(first), Optional.empty());
  }

  /** The effect that looks at the pool. */
  TurnstileEffect lookAt(long number, Instant now) {
    return new TurnstileEffect.Look(pool, number, now.plus(TurnstileLimits.LOOK));
  }

  Settling looking(long number) {
    return new Settling(pool, until, pause, next, Optional.of(number));
  }

  /** The look showed no end of the write. The pause doubles. */
  Settling again(Instant now) {
    Duration twice = pause.multipliedBy(2);
    boolean most = twice.compareTo(TurnstileLimits.LAST_LOOK) > 0;
    Duration longer = most ? TurnstileLimits.LAST_LOOK : twice;
    return new Settling(pool, until, longer, now.plus(longer), Optional.empty());
  }

  /** Whether the pause has reached its maximum. */
  private boolean slowest() {
    return pause.equals(TurnstileLimits.LAST_LOOK);
  }

  /** The begin or end of settling, for the log. */
  static Optional<TurnstileEffect> transition(Optional<Settling> before, LoadBalancerQueue after) {
    Optional<Settling> next = after.settling();
    if (before.isEmpty()) {
      return next.map(begun -> new TurnstileEffect.SettlingBegun(begun.pool(), begun.until()));
    }
    if (next.isEmpty()) {
      return Optional.of(new TurnstileEffect.SettlingEnded(after.id()));
    }
    return next.filter(any -> any.slowest() && !before.get().slowest())
        .map(any -> new TurnstileEffect.SettlingSlowest(after.id(), any.pause()));
  }
}
