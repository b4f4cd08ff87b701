package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.A;
import static io.poolkeeper.ratelimit.RateLimiterDriver.B;
import static io.poolkeeper.ratelimit.RateLimiterDriver.C;
import static io.poolkeeper.ratelimit.RateLimiterDriver.E;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PermitResult;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which permits count as rate-limited: those that a gate or an empty bucket held. */
class RateLimitedTest {
  private static void assertLast(RateLimiterDriver rateLimiter, Requester by, boolean limited) {
    assertThat(rateLimiter.grants())
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
    assertLast(RateLimiterDriver.wide().wants(PriorityLevel.DRAIN, A), A, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reads", "writes", "lb-1"})
  void granted_afterAGate_is_andTheNextOneIsNot(String gate) {
    RateLimiterDriver rateLimiter =
        RateLimiterDriver.wide().close(gate, 10).wants(PriorityLevel.DRAIN, A);

    assertLast(rateLimiter.fire(), A, true);
    assertLast(rateLimiter.back(A).seconds(60).wants(PriorityLevel.DRAIN, A), A, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reads", "writes", "lb-1"})
  void granted_ifTheGateClosesWhileItWaits_isOnlyIfThePermitWasFreeMeanwhile(String gate) {
    RateLimiterDriver rateLimiter =
        RateLimiterDriver.wide().wants(PriorityLevel.DRAIN, A, B).seconds(1);
    rateLimiter.close(gate, 10);

    assertLast(rateLimiter.copy().seconds(30).back(A), B, false);
    assertLast(rateLimiter.seconds(1).back(A).fire(), B, true);
  }

  /** 1 in the first second, 2 in the next. */
  @Test
  void granted_duringTheSlowStart_is() {
    RateLimiterDriver rateLimiter = RateLimiterDriver.wide().close("writes", 10);
    rateLimiter.seconds(10).wants(PriorityLevel.DRAIN, A, C);

    assertLast(rateLimiter.fire(), C, true);
    assertThat(rateLimiter.now()).isEqualTo(RateLimiterDriver.T0.plusSeconds(11));
  }

  @Test
  void granted_afterAnEmptyBucket_is() {
    RateLimiterDriver reads = RateLimiterDriver.withReads(2).wants(PriorityLevel.DRAIN, A, C, E);
    assertThat(reads.sent(false, 2).back(A, C).granted()).isEmpty();
    assertLast(reads.fire(), E, true);

    RateLimiterDriver writes = RateLimiterDriver.with(1, 1, 16).wants(PriorityLevel.UPDATE, A, C);
    assertThat(writes.sent(true).back(A).granted()).isEmpty();
    assertLast(writes.fire(), C, true);
  }

  @Test
  void granted_atTheMomentAtWhichTheLevelIsHeld_isNot() {
    RateLimiterDriver reads = RateLimiterDriver.withReads(2).wants(PriorityLevel.DRAIN, A, C, E);
    assertThat(reads.granted()).isEmpty();

    assertLast(reads.back(A), E, false);
  }

  /** It goes first, as its pool loses more. */
  @Test
  void granted_whoCameAfterTheGateHadOpened_isNot_andWhoCameBeforeIs() {
    RateLimiterDriver rateLimiter = RateLimiterDriver.with(10, 10, 1).wants(PriorityLevel.DRAIN, C);
    rateLimiter.close("lb-1", 10).wants(PriorityLevel.DRAIN, B).seconds(15);
    rateLimiter.request(A, new Priority(PriorityLevel.DRAIN, new Share(1, 1))).seconds(5);

    assertLast(rateLimiter.copy().cancel(A).back(C), B, true);
    assertLast(rateLimiter.back(C), A, false);
  }

  @Test
  void granted_laterInALevelThatWasHeld_isNot() {
    RateLimiterDriver rateLimiter = RateLimiterDriver.with(10, 10, 1).close("reads", 10);
    assertLast(rateLimiter.wants(PriorityLevel.DRAIN, A).fire(), A, true);

    rateLimiter.seconds(20).wants(PriorityLevel.DRAIN, C).seconds(5).back(A);

    assertLast(rateLimiter, C, false);
  }

  @Test
  void granted_afterTheRetryBudgetWasEmpty_is() {
    RateLimiterDriver rateLimiter =
        RateLimiterDriver.wide().wants(PriorityLevel.REPAIR, RateLimiterDriver.many(0, 3));

    assertThat(rateLimiter.granted()).isEmpty();
    assertThat(rateLimiter.fire().grants()).allMatch(RateLimiterEffect.Grant::rateLimited);
  }

  @Test
  void granted_afterWaitsThatAreNoneOfTheRate_isNot() {
    RateLimiterDriver permit = RateLimiterDriver.wide().wants(PriorityLevel.DRAIN, A, B);
    assertLast(permit.seconds(5).back(A), B, false);

    RateLimiterDriver unresolved = RateLimiterDriver.wide().wants(PriorityLevel.DRAIN, A);
    unresolved.back(A, PermitResult.UNRESOLVED).wants(PriorityLevel.DRAIN, B).fire();
    assertLast(unresolved.verified(VerificationResult.SETTLED), B, false);

    RateLimiterDriver full = RateLimiterDriver.with(10, 10, 1).wants(PriorityLevel.DRAIN, A, C);
    assertLast(full.seconds(5).back(A), C, false);

    RateLimiterDriver lease = RateLimiterDriver.wide().needLease().wants(PriorityLevel.DRAIN, A);
    assertLast(lease.seconds(5).held(1), A, false);
  }

  @Test
  void granted_toALevelThatWaitsForNothing_isNotWhileAnotherIsHeld() {
    RateLimiterDriver rateLimiter =
        RateLimiterDriver.with(0, 10, 16).wants(PriorityLevel.UPDATE, A);
    assertThat(rateLimiter.granted()).isEmpty();

    assertLast(rateLimiter.seconds(1).wants(PriorityLevel.DRAIN, C), C, false);
  }
}
