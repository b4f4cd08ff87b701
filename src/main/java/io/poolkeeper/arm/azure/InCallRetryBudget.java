package io.poolkeeper.arm.azure;

import io.poolkeeper.retry.RetryBudget;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the in-call retries of all calls together. Each answer that is not a server error allows
 * one retry; without such answers there are three a minute. So a call that meets a short error is
 * retried. In an outage a call is sent once: with retries it would cost up to four tokens, for
 * which first attempts would wait (ADR 11). Thread-safe.
 */
final class InCallRetryBudget {
  private static final Logger log = LoggerFactory.getLogger(InCallRetryBudget.class);

  private static final RetryBudget.Limits LIMITS =
      new RetryBudget.Limits(20, Duration.ofMinutes(1), 50, 100);

  private final InstantSource clock;
  private final AtomicReference<State> state;

  /** The remaining budget, and whether its exhaustion was logged since the last answer. */
  private record State(RetryBudget budget, boolean logged) {
    State withdraw(Instant now) {
      return budget.canWithdraw(now)
          ? new State(budget.withdraw(now), logged)
          : new State(budget, true);
    }
  }

  /** A budget of one process; the clock is monotonic. */
  InCallRetryBudget(InstantSource clock) {
    this.clock = clock;
    this.state = new AtomicReference<>(new State(RetryBudget.of(LIMITS, clock.instant()), false));
  }

  /** Deposits for an answer that is not a server error. */
  void deposit() {
    Instant now = clock.instant();
    state.updateAndGet(before -> new State(before.budget().deposit(now), false));
  }

  /** Takes one in-call retry, if one is left. */
  boolean withdraw() {
    Instant now = clock.instant();
    State before = state.getAndUpdate(current -> current.withdraw(now));
    boolean withdrawn = before.budget().canWithdraw(now);
    if (!withdrawn && !before.logged()) {
      log.warn("in-call-retries=held-back reason=budget");
    }
    return withdrawn;
  }
}
