package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.balancer;
import static io.poolkeeper.turnstile.TurnstileDriver.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.Grant;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long somebody waited for a turn, and for which part of it the limits were to blame. */
class WaitTest {
  private static final PoolId OTHER = balancer("lb-1").pool("other");

  private final TurnstileDriver turnstile = new TurnstileDriver(TurnstileFixtures.SHIPPED);

  @Test
  void grant_atOnce_tookNoTime() {
    assertWaited(turnstile.request(pool("lb-1"), Lane.UPDATE), Duration.ZERO, Duration.ZERO);
  }

  @Test
  void grant_afterTheTurnOfAnother_wasNotLimited() {
    turnstile.request(OTHER, Lane.UPDATE).request(pool("lb-1"), Lane.UPDATE);

    turnstile.after(seconds(3)).giveBack(OTHER, TurnResult.SUCCEEDED);

    assertWaited(turnstile, seconds(3), Duration.ZERO);
  }

  @Test
  void grant_afterTheTurnOfAnotherAndAGate_wasLimitedSinceTheTurnCameBack() {
    turnstile.request(OTHER, Lane.UPDATE).request(pool("lb-1"), Lane.UPDATE);
    turnstile.throttle(true, seconds(10));
    turnstile.after(seconds(4)).giveBack(OTHER, TurnResult.SUCCEEDED);

    turnstile.fire();

    assertWaited(turnstile, seconds(10), seconds(6));
  }

  @Test
  void grant_afterTheLoadBalancersGateAndTheSubscriptions_wasLimitedSinceItsOwnOpened() {
    turnstile.throttle("lb-1", seconds(4)).throttle(false, seconds(10));
    turnstile.request(pool("lb-1"), Lane.UPDATE);

    // The timer may be late for the first gate.
    turnstile.after(seconds(7)).sent(false);
    turnstile.fire();

    assertWaited(turnstile, seconds(10), seconds(6));
  }

  @Test
  void grant_afterALook_wasNotLimited() {
    turnstile.request(pool("lb-1"), Lane.UPDATE).giveBack(pool("lb-1"), TurnResult.UNRESOLVED);
    long look = turnstile.request(OTHER, Lane.UPDATE).fire().looks().getFirst().look();

    turnstile.after(seconds(2)).looked(look, LookResult.SETTLED);

    assertWaited(turnstile, seconds(3), Duration.ZERO);
  }

  @Test
  void grant_afterALookAndAGate_wasLimitedSinceTheLook() {
    turnstile.request(pool("lb-1"), Lane.UPDATE).giveBack(pool("lb-1"), TurnResult.UNRESOLVED);
    turnstile.request(OTHER, Lane.UPDATE).throttle(true, seconds(10));
    turnstile.fire().looked(LookResult.SETTLED);

    turnstile.fire();

    assertWaited(turnstile, seconds(10), seconds(9));
  }

  @Test
  void grant_afterTheSettleLimit_wasNotLimited() {
    turnstile.request(pool("lb-1"), Lane.UPDATE).giveBack(pool("lb-1"), TurnResult.UNRESOLVED);
    turnstile.request(OTHER, Lane.UPDATE).fire();

    turnstile.after(seconds(299)).timer();

    assertWaited(turnstile, seconds(300), Duration.ZERO);
  }

  @Test
  void grant_afterAGateThatOnlyCameLater_wasLimitedSinceItWasAskedFor() {
    turnstile.throttle(true, seconds(10)).after(seconds(3)).request(pool("lb-1"), Lane.UPDATE);

    turnstile.fire();

    assertWaited(turnstile, seconds(7), seconds(7));
  }

  @Test
  void grant_afterAChangeOfLanes_countsFromTheFirstRequest() {
    turnstile.throttle(true, seconds(10)).request(pool("lb-1"), Lane.RETRY);
    turnstile.after(seconds(5)).request(pool("lb-1"), Lane.UPDATE);

    turnstile.fire();

    assertWaited(turnstile, seconds(10), seconds(10));
  }

  private static void assertWaited(TurnstileDriver turnstile, Duration waited, Duration limited) {
    assertThat(turnstile.effects())
        .filteredOn(Grant.class::isInstance)
        .singleElement()
        .satisfies(
            effect -> {
              Grant grant = (Grant) effect;
              assertThat(grant.waited()).as("waited").isEqualTo(waited);
              assertThat(grant.limited()).as("limited").isEqualTo(limited);
            });
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
