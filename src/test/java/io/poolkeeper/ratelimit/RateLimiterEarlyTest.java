package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PermitResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Early writes leave time, tokens and precedence to everybody else (architecture, The rate
 * limiter).
 */
class RateLimiterEarlyTest extends RateLimiterCase {
  @Test
  void request_afterAnEarlyPermit_waitsFourTimesItsLengthAtThatLoadBalancer() {
    rateLimiter.wants(EARLY, A).seconds(3).back(A).wants(EARLY, B, C).came("0 a, 3 c");

    rateLimiter.waiting("b EARLY_PAUSE 15").fire().came("15 b");
  }

  @Test
  void request_earlyPause_othersOfTheLoadBalancerGo() {
    rateLimiter.wants(EARLY, A).seconds(3).back(A).wants(EARLY, B).came("0 a");

    rateLimiter.wants(UPDATE, A).back(A).wants(UPDATE, B).came("3 a b");
  }

  @Test
  void request_afterAPermitThatWasNotEarly_doesNotWait() {
    rateLimiter.wants(UPDATE, A).seconds(3).back(A).wants(EARLY, B).came("0 a, 3 b");
  }

  @Test
  void lose_earlyPermit_pausesByItsLength() {
    rateLimiter.wants(EARLY, A).seconds(1).die(A).wants(EARLY, B).fire().verified(SETTLED);

    rateLimiter.fire().came("0 a, 2 look-a, 5 b");
  }

  @ParameterizedTest
  @EnumSource(names = {"CONFLICT", "SUPERSEDED", "OTHER_WRITER"})
  void giveBack_anotherClientWrites_nobodyIsEarlyForThirtySeconds(PermitResult contested) {
    rateLimiter.wants(UPDATE, A).back(A, contested).wants(UPDATE, A).seconds(1).timer();
    rateLimiter
        .verifications()
        .forEach(verification -> rateLimiter.verified(verification.verification(), SETTLED));
    rateLimiter.back(A).wants(EARLY, B).waiting("b EARLY_PAUSE 30").fire();

    assertThat(rateLimiter.granted()).containsExactly(B);
  }

  @Test
  void request_noEarlyToken_waitsForOneAndIsAnUpdateAtOnce() {
    for (int permit = 1; permit <= 50; permit++) {
      rateLimiter.wants(EARLY, A).back(A);
    }
    rateLimiter.holds(Bucket.EARLY, 0).wants(EARLY, A).waiting("a EARLY_TOKENS 2");

    assertThat(rateLimiter.copy().wants(UPDATE, A).granted()).containsExactly(A);
    assertThat(rateLimiter.fire().granted()).containsExactly(A);
    rateLimiter.holds(Bucket.EARLY, 0);
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "UNCHANGED"})
  void giveBack_early_reserveOfDrainsGetsItsFifthForFiveMinutes(PermitResult result) {
    RateLimiterDriver poor = RateLimiterDriver.with(20_000, 0, 16).wants(EARLY, A).seconds(2);
    poor.back(A, result);

    poor.seconds(300).holds(Bucket.DRAIN_RESERVE, 0.06);
    poor.seconds(300).holds(Bucket.DRAIN_RESERVE, 0.06);
  }

  @Test
  void grant_early_isNeverPutBeforeOthersHoweverOftenItWasPassedOver() {
    rateLimiter.wants(UPDATE, A).wants(EARLY, B);
    Requester holder = A;
    for (int permit = 1; permit <= 3 * RateLimiterLimits.MOST_PASSED_OVER; permit++) {
      Requester again = new Requester(LB1.pool("a" + permit), 100L + permit);
      rateLimiter.wants(REPAIR, again).wants(UPDATE, again).back(holder);

      assertThat(rateLimiter.granted()).containsExactly(again);
      holder = again;
    }
    assertThat(rateLimiter.view().levels()).contains(new RateLimiterView.Queue(EARLY, 1, 0));
  }
}
