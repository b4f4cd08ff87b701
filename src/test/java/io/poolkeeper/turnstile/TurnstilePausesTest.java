package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.LB1;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A 429 without a {@code Retry-After}: the gate closes for 2 s, doubling to 30 s. */
class TurnstilePausesTest {
  private final TurnstileDriver turnstile = TurnstileDriver.wide();
  private int turns;

  /** Says for how long the gate closes. */
  private Duration refusal(boolean write) {
    turnstile.throttle(write, Duration.ZERO);
    Instant until = turnstile.view().gate(write, turnstile.now()).orElse(turnstile.now());
    return Duration.between(turnstile.now(), until);
  }

  private void turn(TurnResult result) {
    turnstile.request(A, Lane.UPDATE).giveBack(A, ++turns, result);
  }

  @Test
  void throttle_againAndAgain_closesForTwiceAsLongUpToTheInterval() {
    for (int seconds : new int[] {2, 4, 8, 16, 30, 30}) {
      assertThat(refusal(true)).isEqualTo(Duration.ofSeconds(seconds));
      turnstile.seconds(seconds);
    }
    assertThat(refusal(false)).as("reads are apart").isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void throttle_gateIsClosed_changesNothing() {
    turnstile.throttle(true, Duration.ofSeconds(1));
    assertThat(refusal(true)).isEqualTo(Duration.ofSeconds(1));
    assertThat(refusal(true)).isEqualTo(Duration.ofSeconds(1));

    turnstile.seconds(1);

    assertThat(refusal(true)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void giveBack_writeThatBeganAfterTheOpening_beginsAnew() {
    refusal(true);
    refusal(false);
    turnstile.seconds(2);
    turn(TurnResult.SUCCEEDED);

    assertThat(refusal(true)).isEqualTo(Duration.ofSeconds(2));
    assertThat(refusal(false)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void giveBack_writeThatBeganBeforeTheOpening_provesNothing() {
    turnstile.request(A, Lane.UPDATE);
    refusal(true);
    turnstile.seconds(2).giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(refusal(true)).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void giveBack_nothingWritten_provesSomethingAboutReadsOnly() {
    refusal(true);
    refusal(false);
    turnstile.seconds(2);
    turn(TurnResult.UNCHANGED);

    assertThat(refusal(true)).isEqualTo(Duration.ofSeconds(4));
    assertThat(refusal(false)).isEqualTo(Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILED", "CONFLICT", "SUPERSEDED", "UNRESOLVED"})
  void giveBack_failure_provesNothing(TurnResult failure) {
    refusal(true);
    turnstile.seconds(2);
    turn(failure);

    assertThat(refusal(true)).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void throttle_oneLoadBalancer_hasPausesOfItsOwn() {
    turnstile.throttle("lb-1", Duration.ZERO);
    assertThat(turnstile.state().queue(LB1).gate()).isEqualTo(T0.plusSeconds(2));
    turnstile.seconds(2).throttle("lb-1", Duration.ZERO);
    assertThat(turnstile.state().queue(LB1).gate()).isEqualTo(T0.plusSeconds(6));
    assertThat(refusal(true)).isEqualTo(Duration.ofSeconds(2));
    turnstile.seconds(4);
    turn(TurnResult.SUCCEEDED);

    turnstile.throttle("lb-1", Duration.ZERO);

    assertThat(turnstile.state().queue(LB1).gate()).isEqualTo(T0.plusSeconds(8));
  }
}
