package io.poolkeeper.arm.azure;

import io.poolkeeper.retry.RetryBudget;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What repetitions inside calls may cost all calls together: each answer that is no server's error
 * pays for one, and without any there are three a minute. So a call that meets a hiccup is repeated
 * as before, but while ARM answers nobody, a call is one call: else each would spend the tokens of
 * four, and first attempts would wait for them (ADR 11). Safe to share between threads.
 */
final class InCallRetryBudget {
  private static final Logger log = LoggerFactory.getLogger(InCallRetryBudget.class);

  private static final RetryBudget.Limits LIMITS =
      new RetryBudget.Limits(20, Duration.ofMinutes(1), 50, 100);

  private final InstantSource clock;
  private final AtomicReference<Spent> spent;

  /** What is left, and whether people were told, since an answer came, that nothing is. */
  private record Spent(RetryBudget budget, boolean told) {
    Spent after(Instant now) {
      return budget.canWithdraw(now)
          ? new Spent(budget.withdraw(now), told)
          : new Spent(budget, true);
    }
  }

  /**
   * A budget of one process.
   *
   * @param clock monotonic
   */
  InCallRetryBudget(InstantSource clock) {
    this.clock = clock;
    this.spent = new AtomicReference<>(new Spent(RetryBudget.of(LIMITS, clock.instant()), false));
  }

  /** An answer that is no server's error. */
  void deposit() {
    Instant now = clock.instant();
    spent.updateAndGet(before -> new Spent(before.budget().deposit(now), false));
  }

  /** Takes what one repetition costs, if there is as much. */
  boolean withdraw() {
    Instant now = clock.instant();
    Spent before = spent.getAndUpdate(held -> held.after(now));
    boolean withdrawn = before.budget().canWithdraw(now);
    if (!withdrawn && !before.told()) {
      log.warn("repetitions=held-back reason=budget");
    }
    return withdrawn;
  }
}
