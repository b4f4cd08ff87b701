package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.LB1;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Early writes leave time, tokens and precedence to everybody else (architecture, The turnstile).
 */
class TurnstileEarlyTest {
  private final TurnstileDriver turnstile = TurnstileDriver.wide();

  private double tokens() {
    return turnstile.view().tokens(Bucket.EARLY, turnstile.now()).tokens();
  }

  @Test
  void request_afterAnEarlyTurn_waitsFourTimesItsLengthAtThatLoadBalancer() {
    turnstile.request(A, Lane.EARLY).seconds(3).giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.request(B, Lane.EARLY).granted()).isEmpty();
    assertThat(turnstile.request(C, Lane.EARLY).granted()).containsExactly(C);
    assertThat(turnstile.view().waiting(turnstile.now()))
        .extracting(TurnstileView.Waiting::why)
        .containsExactly(Obstacle.EARLY_PAUSE);
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(3 + 12));
    assertThat(turnstile.fire().granted()).containsExactly(B);
  }

  @Test
  void request_earlyPause_othersOfTheLoadBalancerGo() {
    turnstile.request(A, Lane.EARLY).seconds(3).giveBack(A, 1, TurnResult.SUCCEEDED);
    turnstile.request(B, Lane.EARLY);

    assertThat(turnstile.request(A, Lane.UPDATE).granted()).containsExactly(A);
    turnstile.giveBack(A, 2, TurnResult.SUCCEEDED);
    assertThat(turnstile.request(B, Lane.UPDATE).granted()).containsExactly(B);
  }

  @Test
  void lose_earlyTurn_pausesByItsLength() {
    turnstile.request(A, Lane.EARLY).seconds(1).die(A);

    assertThat(turnstile.state().queue(LB1).earlyFrom()).isEqualTo(T0.plusSeconds(1 + 4));
  }

  @ParameterizedTest
  @EnumSource(names = {"CONFLICT", "SUPERSEDED", "OTHER_WRITER"})
  void giveBack_anotherClientWrites_nobodyIsEarlyForThirtySeconds(TurnResult contested) {
    turnstile.request(A, Lane.UPDATE).giveBack(A, 1, contested);
    turnstile.request(A, Lane.UPDATE).seconds(1).timer();
    turnstile.looks().forEach(look -> turnstile.looked(look.look(), LookResult.SETTLED));
    turnstile.giveBack(A, 2, TurnResult.SUCCEEDED);

    assertThat(turnstile.request(B, Lane.EARLY).granted()).isEmpty();
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(30));
    assertThat(turnstile.fire().granted()).containsExactly(B);
  }

  @Test
  void request_noEarlyToken_waitsForOneAndIsAnUpdateAtOnce() {
    for (int turn = 1; turn <= 50; turn++) {
      turnstile.request(A, Lane.EARLY).giveBack(A, turn, TurnResult.SUCCEEDED);
    }
    assertThat(tokens()).isEqualTo(0.0);

    assertThat(turnstile.request(A, Lane.EARLY).granted()).isEmpty();
    assertThat(turnstile.view().waiting(turnstile.now()))
        .extracting(TurnstileView.Waiting::why)
        .containsExactly(Obstacle.EARLY_TOKENS);
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(2));
    assertThat(turnstile.copy().request(A, Lane.UPDATE).granted()).containsExactly(A);
    assertThat(turnstile.fire().granted()).containsExactly(A);
    assertThat(tokens()).isEqualTo(0.0);
  }

  @ParameterizedTest
  @CsvSource({"SUCCEEDED,49", "FAILED,49", "UNCHANGED,50", "OTHER_WRITER,50"})
  void giveBack_noWriteWasSent_earlyTokenIsNotSpent(TurnResult result, double left) {
    turnstile.request(A, Lane.EARLY).giveBack(A, 1, result);

    assertThat(tokens()).isEqualTo(left);
  }

  @Test
  void giveBack_early_reserveOfDrainsGetsItsFifthForFiveMinutes() {
    turnstile.request(A, Lane.EARLY).seconds(2).giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.state().quota().writes().sharedUntil())
        .isEqualTo(T0.plusSeconds(2).plus(Duration.ofMinutes(5)));
  }

  @Test
  void grant_early_isNeverPutBeforeOthersHoweverOftenItWasPassedOver() {
    turnstile.request(A, Lane.UPDATE).request(B, Lane.EARLY);
    for (int turn = 1; turn <= 3 * TurnstileLimits.MOST_PASSES; turn++) {
      Requester again = new Requester(LB1.pool("a" + turn), 100L + turn);
      turnstile.request(again, Lane.REPAIR).request(again, Lane.UPDATE);
      Requester holder = turn == 1 ? A : new Requester(LB1.pool("a" + (turn - 1)), 99L + turn);

      assertThat(turnstile.giveBack(holder, turn, TurnResult.SUCCEEDED).granted())
          .containsExactly(again);
    }
    assertThat(turnstile.view().lanes())
        .filteredOn(lane -> lane.lane() == Lane.EARLY)
        .containsExactly(new TurnstileView.Queue(Lane.EARLY, 1, 0));
  }
}
