package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Early writes leave time, tokens and precedence to everybody else (architecture, The turnstile).
 */
class TurnstileEarlyTest extends TurnstileCase {
  @Test
  void request_afterAnEarlyTurn_waitsFourTimesItsLengthAtThatLoadBalancer() {
    turnstile.wants(EARLY, A).seconds(3).back(A).wants(EARLY, B, C).came("0 a, 3 c");

    turnstile.waiting("b EARLY_PAUSE 15").fire().came("15 b");
  }

  @Test
  void request_earlyPause_othersOfTheLoadBalancerGo() {
    turnstile.wants(EARLY, A).seconds(3).back(A).wants(EARLY, B).came("0 a");

    turnstile.wants(UPDATE, A).back(A).wants(UPDATE, B).came("3 a b");
  }

  @Test
  void request_afterATurnThatWasNotEarly_doesNotWait() {
    turnstile.wants(UPDATE, A).seconds(3).back(A).wants(EARLY, B).came("0 a, 3 b");
  }

  @Test
  void lose_earlyTurn_pausesByItsLength() {
    turnstile.wants(EARLY, A).seconds(1).die(A).wants(EARLY, B).fire().verified(SETTLED);

    turnstile.fire().came("0 a, 2 look-a, 5 b");
  }

  @ParameterizedTest
  @EnumSource(names = {"CONFLICT", "SUPERSEDED", "OTHER_WRITER"})
  void giveBack_anotherClientWrites_nobodyIsEarlyForThirtySeconds(TurnResult contested) {
    turnstile.wants(UPDATE, A).back(A, contested).wants(UPDATE, A).seconds(1).timer();
    turnstile
        .verifications()
        .forEach(verification -> turnstile.verified(verification.verification(), SETTLED));
    turnstile.back(A).wants(EARLY, B).waiting("b EARLY_PAUSE 30").fire();

    assertThat(turnstile.granted()).containsExactly(B);
  }

  @Test
  void request_noEarlyToken_waitsForOneAndIsAnUpdateAtOnce() {
    for (int turn = 1; turn <= 50; turn++) {
      turnstile.wants(EARLY, A).back(A);
    }
    turnstile.holds(Bucket.EARLY, 0).wants(EARLY, A).waiting("a EARLY_TOKENS 2");

    assertThat(turnstile.copy().wants(UPDATE, A).granted()).containsExactly(A);
    assertThat(turnstile.fire().granted()).containsExactly(A);
    turnstile.holds(Bucket.EARLY, 0);
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "UNCHANGED"})
  void giveBack_early_reserveOfDrainsGetsItsFifthForFiveMinutes(TurnResult result) {
    TurnstileDriver poor = TurnstileDriver.with(20_000, 0, 16).wants(EARLY, A).seconds(2);
    poor.back(A, result);

    poor.seconds(300).holds(Bucket.DRAIN_RESERVE, 0.06);
    poor.seconds(300).holds(Bucket.DRAIN_RESERVE, 0.06);
  }

  @Test
  void grant_early_isNeverPutBeforeOthersHoweverOftenItWasPassedOver() {
    turnstile.wants(UPDATE, A).wants(EARLY, B);
    Requester holder = A;
    for (int turn = 1; turn <= 3 * TurnstileLimits.MOST_PASSED_OVER; turn++) {
      Requester again = new Requester(LB1.pool("a" + turn), 100L + turn);
      turnstile.wants(REPAIR, again).wants(UPDATE, again).back(holder);

      assertThat(turnstile.granted()).containsExactly(again);
      holder = again;
    }
    assertThat(turnstile.view().lanes()).contains(new TurnstileView.Queue(EARLY, 1, 0));
  }
}
