package io.poolkeeper.ratelimit;

import io.poolkeeper.ratelimit.RateLimiterEffect.BudgetEmptied;
import io.poolkeeper.ratelimit.RateLimiterEffect.BudgetRefilled;
import io.poolkeeper.ratelimit.RateLimiterEffect.RetryHeldBack;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What was reported of the limits (spec 2, Observability): each begin and end of an empty retry
 * budget once, and a permit as rate-limited if the rate held its request. The rate is a closed gate
 * of the subscription or an empty bucket. One time per priority level suffices: all its requests
 * whose load balancers are free have the same obstacle.
 *
 * @param empty whether a request had to wait for the budget, and the budget is still empty
 * @param heldBack whether a request had to wait for the budget since the last retry was granted
 * @param limited when the rate last held each priority level, monotonic
 */
record Reported(boolean empty, boolean heldBack, Map<PriorityLevel, Instant> limited) {
  static final Reported NOTHING = new Reported(false, false, Map.of());

  /** A retry was granted. */
  Reported retried() {
    return new Reported(empty, false, limited);
  }

  /**
   * After a decision. The budget stays empty in reports while single retries are allowed and
   * requests wait.
   *
   * @param obstacles what keeps each priority level that waits
   * @param allowsNone whether the budget is empty now
   */
  Reported with(Map<PriorityLevel, Obstacle> obstacles, boolean allowsNone, Instant now) {
    Map<PriorityLevel, Instant> held = new EnumMap<>(PriorityLevel.class);
    held.putAll(limited);
    obstacles.forEach(
        (level, obstacle) -> {
          if (obstacle.limitsRate()) {
            held.put(level, now);
          }
        });
    boolean waits = obstacles.containsValue(Obstacle.RETRY_BUDGET);
    return new Reported(waits || (empty && allowsNone), waits || heldBack, held);
  }

  /** Whether a request that may go now was held by the rate since its load balancer was free. */
  boolean limited(PriorityLevel level, Instant ready, Instant now) {
    Instant at = limited.getOrDefault(level, Instant.MIN);
    return ready.isBefore(now) && !at.isBefore(ready);
  }

  /** The begin or end that was not reported before. */
  List<RateLimiterEffect> since(Reported before) {
    List<RateLimiterEffect> effects = new ArrayList<>();
    if (heldBack && !before.heldBack) {
      effects.add(new RetryHeldBack());
    }
    if (empty != before.empty) {
      effects.add(empty ? new BudgetEmptied() : new BudgetRefilled());
    }
    return effects;
  }
}
