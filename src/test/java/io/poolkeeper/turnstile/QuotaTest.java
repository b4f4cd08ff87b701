package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.turnstile.LoadBalancerQueue.Turn;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class QuotaTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

  @Test
  void returned_retryThatWroteNothing_leavesTheBudgetAsItWasThoughASuccessDeposits() {
    RetryBudget full =
        RetryBudget.of(new RetryBudget.Limits(1, Duration.ofSeconds(10), 100, 100), T0);
    Quota initial = Quota.initial(TurnstileFixtures.WIDE, T0);
    Quota quota = new Quota(initial.writes(), initial.early(), initial.reads(), full);
    Turn turn =
        new Turn(
            1, new Requester(TurnstileDriver.balancer("lb-1").pool("pool"), 1), Lane.RETRY, T0);

    Quota back =
        quota.granted(Lane.RETRY, T0, false).returned(turn, TurnResult.UNCHANGED, T0, true);

    assertThat(back.budget()).isEqualTo(full);
  }
}
