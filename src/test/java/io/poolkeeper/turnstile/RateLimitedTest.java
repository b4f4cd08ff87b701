package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.E;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which turns count as rate-limited: those that a gate or an empty bucket held. */
class RateLimitedTest {
  private static void assertLast(TurnstileDriver turnstile, Requester by, boolean limited) {
    assertThat(turnstile.grants())
        .singleElement()
        .matches(grant -> grant.requester().equals(by))
        .matches(grant -> grant.rateLimited() == limited);
  }

  @Test
  void limitsRate_everyObstacle_isOneOfGatesAndBuckets() {
    assertThat(Arrays.stream(Obstacle.values()).filter(Obstacle::limitsRate))
        .containsExactlyElementsOf(
            EnumSet.of(
                Obstacle.LOAD_BALANCER_GATE,
                Obstacle.SUBSCRIPTION_GATE,
                Obstacle.SLOW_START,
                Obstacle.READ_TOKENS,
                Obstacle.WRITE_TOKENS,
                Obstacle.EARLY_TOKENS,
                Obstacle.RETRY_BUDGET));
  }

  @Test
  void granted_atOnce_isNot() {
    assertLast(TurnstileDriver.wide().wants(Lane.DRAIN, A), A, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reads", "writes", "lb-1"})
  void granted_afterAGate_is_andTheNextOneIsNot(String gate) {
    TurnstileDriver turnstile = TurnstileDriver.wide().close(gate, 10).wants(Lane.DRAIN, A);

    assertLast(turnstile.fire(), A, true);
    assertLast(turnstile.back(A).seconds(60).wants(Lane.DRAIN, A), A, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reads", "writes", "lb-1"})
  void granted_ifTheGateClosesWhileItWaits_isOnlyIfTheTurnWasFreeMeanwhile(String gate) {
    TurnstileDriver turnstile = TurnstileDriver.wide().wants(Lane.DRAIN, A, B).seconds(1);
    turnstile.close(gate, 10);

    assertLast(turnstile.copy().seconds(30).back(A), B, false);
    assertLast(turnstile.seconds(1).back(A).fire(), B, true);
  }

  /** 1 in the first second, 2 in the next. */
  @Test
  void granted_duringTheSlowStart_is() {
    TurnstileDriver turnstile = TurnstileDriver.wide().close("writes", 10);
    turnstile.seconds(10).wants(Lane.DRAIN, A, C);

    assertLast(turnstile.fire(), C, true);
    assertThat(turnstile.now()).isEqualTo(TurnstileDriver.T0.plusSeconds(11));
  }

  @Test
  void granted_afterAnEmptyBucket_is() {
    TurnstileDriver reads = TurnstileDriver.withReads(2).wants(Lane.DRAIN, A, C, E);
    assertThat(reads.sent(false, 2).back(A, C).granted()).isEmpty();
    assertLast(reads.fire(), E, true);

    TurnstileDriver writes = TurnstileDriver.with(1, 1, 16).wants(Lane.UPDATE, A, C);
    assertThat(writes.sent(true).back(A).granted()).isEmpty();
    assertLast(writes.fire(), C, true);
  }

  @Test
  void granted_atTheMomentAtWhichTheLaneIsHeld_isNot() {
    TurnstileDriver reads = TurnstileDriver.withReads(2).wants(Lane.DRAIN, A, C, E);
    assertThat(reads.granted()).isEmpty();

    assertLast(reads.back(A), E, false);
  }

  /** It goes first, as its pool loses more. */
  @Test
  void granted_whoCameAfterTheGateHadOpened_isNot_andWhoCameBeforeIs() {
    TurnstileDriver turnstile = TurnstileDriver.with(10, 10, 1).wants(Lane.DRAIN, C);
    turnstile.close("lb-1", 10).wants(Lane.DRAIN, B).seconds(15);
    turnstile.request(A, new Priority(Lane.DRAIN, new Share(1, 1))).seconds(5);

    assertLast(turnstile.copy().cancel(A).back(C), B, true);
    assertLast(turnstile.back(C), A, false);
  }

  @Test
  void granted_laterInALaneThatWasHeld_isNot() {
    TurnstileDriver turnstile = TurnstileDriver.with(10, 10, 1).close("reads", 10);
    assertLast(turnstile.wants(Lane.DRAIN, A).fire(), A, true);

    turnstile.seconds(20).wants(Lane.DRAIN, C).seconds(5).back(A);

    assertLast(turnstile, C, false);
  }

  @Test
  void granted_afterTheRetryBudgetWasEmpty_is() {
    TurnstileDriver turnstile =
        TurnstileDriver.wide().wants(Lane.REPAIR, TurnstileDriver.many(0, 3));

    assertThat(turnstile.granted()).isEmpty();
    assertThat(turnstile.fire().grants()).allMatch(TurnstileEffect.Grant::rateLimited);
  }

  @Test
  void granted_afterWaitsThatAreNoneOfTheRate_isNot() {
    TurnstileDriver turn = TurnstileDriver.wide().wants(Lane.DRAIN, A, B);
    assertLast(turn.seconds(5).back(A), B, false);

    TurnstileDriver unresolved = TurnstileDriver.wide().wants(Lane.DRAIN, A);
    unresolved.back(A, TurnResult.UNRESOLVED).wants(Lane.DRAIN, B).fire();
    assertLast(unresolved.verified(VerificationResult.SETTLED), B, false);

    TurnstileDriver full = TurnstileDriver.with(10, 10, 1).wants(Lane.DRAIN, A, C);
    assertLast(full.seconds(5).back(A), C, false);

    TurnstileDriver lease = TurnstileDriver.wide().needLease().wants(Lane.DRAIN, A);
    assertLast(lease.seconds(5).held(1), A, false);
  }

  @Test
  void granted_toALaneThatWaitsForNothing_isNotWhileAnotherIsHeld() {
    TurnstileDriver turnstile = TurnstileDriver.with(0, 10, 16).wants(Lane.UPDATE, A);
    assertThat(turnstile.granted()).isEmpty();

    assertLast(turnstile.seconds(1).wants(Lane.DRAIN, C), C, false);
  }
}
