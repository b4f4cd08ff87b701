package io.poolkeeper.arm.azure;

import io.poolkeeper.retry.RetryBudget;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the in-call retries of all calls together: each answer that is not a server error allows
 * one, and without any there are three a minute. So a call that meets a short error is retried, but
 * in an outage a call is one call: else each would spend the tokens of four, and first attempts
 * would wait for them (ADR 11). Thread-safe.
 */
final class InCallRetryBudget {
  private static final Logger log = LoggerFactory.getLogger(InCallRetryBudget.class);

  private static final RetryBudget.Limits LIMITS =
      new RetryBudget.Limits(20, Duration.ofMinutes(1), 50, 100);

  private final InstantSource clock;
  private RetryBudget budget;

  /** Whether the exhaustion was logged since the last answer. */
  private boolean logged;

  /**
   * A budget of one process.
   *
   * @param clock monotonic
   */
  InCallRetryBudget(InstantSource clock) {
    this.clock = clock;
    this.budget = RetryBudget.of(LIMITS, clock.instant());
  }

  /** Deposits for an answer that is not a server error. */
  synchronized void deposit() {
    budget = budget.deposit(clock.instant());
    logged = false;
  }

  /** Takes one in-call retry, if one is left. */
  synchronized boolean withdraw() {
    Instant now = clock.instant();
    boolean left = budget.canWithdraw(now);
    if (left) {
      budget = budget.withdraw(now);
    } else if (!logged) {
      log.warn("in-call-retries=held-back reason=budget");
      logged = true;
    }
    return left;
  }
}
