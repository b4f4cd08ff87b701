package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.LB2;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import io.poolkeeper.ratelimit.RateLimiterView.Closed;
import io.poolkeeper.ratelimit.RateLimiterView.Holder;
import io.poolkeeper.ratelimit.RateLimiterView.Queue;
import io.poolkeeper.ratelimit.RateLimiterView.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What can be seen of the rate limiter: every reason to wait, with its end, and every number. */
class RateLimiterViewTest extends RateLimiterCase {
  RateLimiterViewTest() {
    super(RateLimiterDriver.shipped());
  }

  @Test
  void waiting_permitOfAnother_untilItsDeadline() {
    rateLimiter.wants(UPDATE, B).seconds(1).wants(REPAIR, A);

    Instant at = T0.plusSeconds(1);
    Optional<Instant> until = Optional.of(T0.plusSeconds(60));
    assertThat(rateLimiter.view().waiting(at))
        .containsExactly(
            new Waiting(
                A.pool(), Priority.of(REPAIR), at, Obstacle.TURN, Obstacle.TURN.text(), until));
  }

  @Test
  void waiting_loadBalancersGate_untilItOpens_thenItIsNext() {
    rateLimiter.close("lb-1", 10).wants(UPDATE, A).waiting("a LOAD_BALANCER_GATE 10");

    rateLimiter.seconds(10).waiting("a NEXT");
  }

  @Test
  void waiting_unresolvedWrite_untilTheSettleLimit() {
    rateLimiter.wants(UPDATE, B, C).back(C, UNRESOLVED).back(B, UNRESOLVED).wants(UPDATE, A);

    rateLimiter.waiting("a SETTLING 300");
    Duration second = Duration.ofSeconds(1);
    assertThat(rateLimiter.view().unresolved())
        .containsExactly(
            new UnresolvedWrite(
                B.pool(), T0.plusSeconds(300), second, T0.plusSeconds(1), Optional.empty()),
            new UnresolvedWrite(
                C.pool(), T0.plusSeconds(300), second, T0.plusSeconds(1), Optional.empty()));
  }

  @Test
  void why_onePool_isItsObstacle_andNothingWithoutARequest() {
    rateLimiter.wants(UPDATE, B).seconds(1).wants(REPAIR, A);
    Instant at = T0.plusSeconds(1);

    assertThat(rateLimiter.view().why(A.pool(), at)).contains(Obstacle.TURN);
    assertThat(rateLimiter.view().why(B.pool(), at)).as("it has the turn").isEmpty();
    assertThat(rateLimiter.view().why(E.pool(), at)).isEmpty();
  }

  @Test
  void waiting_several_areListedInTheOrderTheyCame() {
    rateLimiter.close("writes", 10).wants(REPAIR, B).wants(DRAIN, C).wants(UPDATE, E, B);

    assertThat(rateLimiter.view().waiting(T0))
        .extracting(Waiting::pool)
        .containsExactly(B.pool(), C.pool(), E.pool());
    assertThat(rateLimiter.view().levels())
        .containsExactly(
            new Queue(DRAIN, 1, 0),
            new Queue(UPDATE, 2, 0),
            new Queue(PriorityLevel.DRAIN_RETRY, 0, 0),
            new Queue(RETRY, 0, 0),
            new Queue(PriorityLevel.EARLY, 0, 0),
            new Queue(REPAIR, 0, 0));
  }

  @Test
  void permits_out_areListedWithTheirDeadlines() {
    RateLimiterView before = rateLimiter.view();
    rateLimiter.wants(UPDATE, C).seconds(1).wants(RETRY, A);

    assertThat(before.permits()).as("seen earlier").isEmpty();
    assertThat(before.limits()).isEqualTo(RateLimiterFixtures.SHIPPED);
    assertThat(rateLimiter.view().permitsOut()).isEqualTo(2);
    assertThat(rateLimiter.view().permits())
        .containsExactly(
            new Holder(C.pool(), UPDATE, 1, T0, T0.plusSeconds(60)),
            new Holder(A.pool(), RETRY, 2, T0.plusSeconds(1), T0.plusSeconds(61)));
  }

  @Test
  void gates_closed_areSeenUntilTheyOpen() {
    RateLimiterView view =
        rateLimiter.close("writes", 10).close("lb-2", 10).close("lb-1", 1).view();
    Instant then = T0.plusSeconds(10);

    assertThat(view.gate(true, T0)).contains(then);
    assertThat(view.gate(false, T0)).isEmpty();
    assertThat(view.gate(true, then)).isEmpty();
    assertThat(view.throttled(T0))
        .containsExactly(new Closed(LB1, T0.plusSeconds(1)), new Closed(LB2, then));
    assertThat(view.throttled(T0.plusSeconds(1))).containsExactly(new Closed(LB2, then));
  }

  @Test
  void tokens_growWithTimeAndMayBeOverdrawn() {
    rateLimiter.sent(true, 60).holds(Bucket.WRITES, -10).holds(Bucket.READS, 200);

    rateLimiter.seconds(20).holds(Bucket.WRITES, 20).holds(Bucket.DRAIN_RESERVE, 50);
    assertThat(rateLimiter.view().tokens(Bucket.WRITES, T0).rate().burst()).isEqualTo(150);
    assertThat(rateLimiter.view().tokens(Bucket.EARLY, T0).rate().burst()).isEqualTo(75);
  }

  @Test
  void tokens_whatDoesNotFitIn_isTheReserves() {
    // 140 are missing in the first bucket, which takes 93.3 s.
    rateLimiter.sent(true, 40).seconds(100).holds(Bucket.DRAIN_RESERVE, 60);
  }

  @Test
  void grant_atOnce_tookNoTime() {
    assertWaited(rateLimiter.wants(UPDATE, A), 0, 0);
  }

  @Test
  void grant_afterThePermitOfAnother_wasNotLimited() {
    assertWaited(rateLimiter.wants(UPDATE, A, B).seconds(3).back(A), 3, 0);
  }

  @Test
  void grant_afterThePermitOfAnotherAndAGate_wasLimitedSinceThePermitCameBack() {
    rateLimiter.wants(UPDATE, A, B).close("writes", 10).seconds(4).back(A);

    assertWaited(rateLimiter.fire(), 10, 6);
  }

  @Test
  void grant_afterTheLoadBalancersGateAndTheSubscriptions_wasLimitedSinceItsOwnOpened() {
    rateLimiter.close("lb-1", 4).close("reads", 10).wants(UPDATE, A);

    // The timer may be late for the first gate.
    assertWaited(rateLimiter.seconds(7).sent(false).fire(), 10, 6);
  }

  @Test
  void grant_afterALook_wasNotLimited() {
    rateLimiter.wants(UPDATE, A).back(A, UNRESOLVED).wants(UPDATE, B).fire();

    assertWaited(rateLimiter.seconds(2).verified(SETTLED), 3, 0);
  }

  @Test
  void grant_afterALookAndAGate_wasLimitedSinceTheLook() {
    rateLimiter.wants(UPDATE, A).back(A, UNRESOLVED).wants(UPDATE, B).close("writes", 10);

    assertWaited(rateLimiter.fire().verified(SETTLED).fire(), 10, 9);
  }

  @Test
  void grant_afterTheSettleLimit_wasNotLimited() {
    rateLimiter.wants(UPDATE, A).back(A, UNRESOLVED).wants(UPDATE, B).fire();

    assertWaited(rateLimiter.seconds(299).timer(), 300, 0);
  }

  @Test
  void grant_afterAGateThatWasClosedBefore_wasLimitedSinceItWasAskedFor() {
    assertWaited(rateLimiter.close("writes", 10).seconds(3).wants(UPDATE, A).fire(), 7, 7);
  }

  @Test
  void grant_afterAChangeOfLevels_countsFromTheFirstRequest() {
    rateLimiter.close("writes", 10).wants(RETRY, A).seconds(5).wants(UPDATE, A);

    assertWaited(rateLimiter.fire(), 10, 10);
  }

  /** How long it waited, and for which part of it the limits were to blame. */
  private static void assertWaited(RateLimiterDriver rateLimiter, int waited, int limited) {
    assertThat(rateLimiter.grants()).hasSize(1);
    Grant grant = rateLimiter.grants().getFirst();
    assertThat(grant.waited()).as("waited").isEqualTo(Duration.ofSeconds(waited));
    assertThat(grant.limited()).as("limited").isEqualTo(Duration.ofSeconds(limited));
  }
}
