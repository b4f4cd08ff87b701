package io.poolkeeper.turnstile;

import static io.poolkeeper.model.TurnResult.UNRESOLVED;
import static io.poolkeeper.turnstile.Lane.RETRY;
import static io.poolkeeper.turnstile.Lane.UPDATE;
import static io.poolkeeper.turnstile.LookResult.SETTLED;
import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long somebody waited for a turn, and for which part of it the limits were to blame. */
class WaitTest {
  private final TurnstileDriver turnstile = TurnstileDriver.shipped();

  @Test
  void grant_atOnce_tookNoTime() {
    assertWaited(turnstile.wants(UPDATE, A), 0, 0);
  }

  @Test
  void grant_afterTheTurnOfAnother_wasNotLimited() {
    assertWaited(turnstile.wants(UPDATE, A, B).seconds(3).back(A), 3, 0);
  }

  @Test
  void grant_afterTheTurnOfAnotherAndAGate_wasLimitedSinceTheTurnCameBack() {
    turnstile.wants(UPDATE, A, B).close("writes", 10).seconds(4).back(A);

    assertWaited(turnstile.fire(), 10, 6);
  }

  @Test
  void grant_afterTheLoadBalancersGateAndTheSubscriptions_wasLimitedSinceItsOwnOpened() {
    turnstile.close("lb-1", 4).close("reads", 10).wants(UPDATE, A);

    // The timer may be late for the first gate.
    assertWaited(turnstile.seconds(7).sent(false).fire(), 10, 6);
  }

  @Test
  void grant_afterALook_wasNotLimited() {
    turnstile.wants(UPDATE, A).back(A, UNRESOLVED).wants(UPDATE, B).fire();

    assertWaited(turnstile.seconds(2).looked(SETTLED), 3, 0);
  }

  @Test
  void grant_afterALookAndAGate_wasLimitedSinceTheLook() {
    turnstile.wants(UPDATE, A).back(A, UNRESOLVED).wants(UPDATE, B).close("writes", 10);

    assertWaited(turnstile.fire().looked(SETTLED).fire(), 10, 9);
  }

  @Test
  void grant_afterTheSettleLimit_wasNotLimited() {
    turnstile.wants(UPDATE, A).back(A, UNRESOLVED).wants(UPDATE, B).fire();

    assertWaited(turnstile.seconds(299).timer(), 300, 0);
  }

  @Test
  void grant_afterAGateThatWasClosedBefore_wasLimitedSinceItWasAskedFor() {
    assertWaited(turnstile.close("writes", 10).seconds(3).wants(UPDATE, A).fire(), 7, 7);
  }

  @Test
  void grant_afterAChangeOfLanes_countsFromTheFirstRequest() {
    turnstile.close("writes", 10).wants(RETRY, A).seconds(5).wants(UPDATE, A);

    assertWaited(turnstile.fire(), 10, 10);
  }

  private static void assertWaited(TurnstileDriver turnstile, int waited, int limited) {
    assertThat(turnstile.grants()).hasSize(1);
    Grant grant = turnstile.grants().getFirst();
    assertThat(grant.waited()).as("waited").isEqualTo(Duration.ofSeconds(waited));
    assertThat(grant.limited()).as("limited").isEqualTo(Duration.ofSeconds(limited));
  }
}
