package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.D;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.RateLimiterEffect.Grant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Permits and lines (architecture, The rate limiter): one rule each. */
class RateLimiterCoreTest extends RateLimiterCase {
  private static final Requester Z = new Requester(LB1.pool("z"), 9);

  private final RateLimiterDriver one = RateLimiterDriver.with(100, 100, 1);

  @Test
  void request_loadBalancersPermitIsOut_waitsForItAlone() {
    rateLimiter.wants(UPDATE, A).seconds(1).wants(UPDATE, B, C).came("0 a, 1 c");

    rateLimiter.seconds(3).back(A).came("4 b");
    assertThat(rateLimiter.grants())
        .containsExactly(
            new Grant(
                B,
                new PermitAnswer.Granted(3, T0.plusSeconds(64), false),
                UPDATE,
                Duration.ofSeconds(3),
                Duration.ZERO,
                false));
  }

  @Test
  void request_maxInFlightIsOut_waitsForAnyPermit() {
    RateLimiterDriver two = RateLimiterDriver.with(100, 100, 2);

    two.wants(UPDATE, A, C).wants(DRAIN, E).came("0 a c").wakes("60").back(C).came("0 e");
  }

  @Test
  void request_again_keepsItsPlace() {
    rateLimiter.wants(UPDATE, A, B, Z, B).back(A, B, Z).came("0 a b z");
  }

  @Test
  void request_againAndAgain_isLateAllTheSame() {
    rateLimiter.wants(UPDATE, A);
    for (int permit = 0; permit <= RateLimiterLimits.MOST_PASSED_OVER; permit++) {
      rateLimiter.wants(REPAIR, B).wants(UPDATE, A).back(A);
    }

    rateLimiter.came("0 a" + " a".repeat(RateLimiterLimits.MOST_PASSED_OVER) + " b");
  }

  @Test
  void request_levelChanges_keepsItsTicketAmongThoseOfTheLevel() {
    rateLimiter.wants(UPDATE, A).wants(REPAIR, B).wants(UPDATE, Z, B).back(A, B).came("0 a b z");
  }

  @Test
  void request_toALesserLevel_isPassedBy() {
    rateLimiter.wants(UPDATE, A, B, Z).wants(RETRY, B).back(A, Z).came("0 a z b");
  }

  @Test
  void grant_severalLoadBalancers_goesByTheTimeOfTheFirstRequest() {
    one.wants(UPDATE, A, D, B, C).back(A, D, B).came("0 a d b c");
  }

  @Test
  void grant_everyLevelWaits_goesByUrgency() {
    List<PriorityLevel> levels = List.of(PriorityLevel.values());
    Requester[] byUrgency =
        levels.stream()
            .map(level -> new Requester(LB1.pool(level.name()), 1))
            .toArray(Requester[]::new);
    rateLimiter.wants(UPDATE, A);
    for (int i = levels.size() - 1; i >= 0; i--) {
      rateLimiter.wants(levels.get(i), byUrgency[i]);
    }

    rateLimiter.back(A).back(byUrgency);

    rateLimiter.came("0 a DRAIN UPDATE DRAIN_RETRY RETRY EARLY REPAIR");
  }

  @Test
  void cancel_waiter_leavesTheLineAndTheOthersInOrder() {
    rateLimiter.wants(UPDATE, A, B, Z).cancel(B).back(A, Z).came("0 a z").waiting("").wakes("");
  }

  @Test
  void cancel_holderOrStranger_keepsThePermitOut() {
    rateLimiter
        .wants(UPDATE, A)
        .cancel(A)
        .cancel(B)
        .wants(UPDATE, Z)
        .came("0 a")
        .back(A)
        .came("0 z");
  }

  @Test
  void giveBack_oldNumberOrStranger_isIgnored() {
    rateLimiter.wants(UPDATE, A, B).giveBack(A, 0, PermitResult.UNRESOLVED);

    rateLimiter.giveBack(A, 2, PermitResult.UNRESOLVED).giveBack(C, 1, PermitResult.UNRESOLVED);

    rateLimiter.came("0 a").told("").back(A).came("0 b");
  }

  @Test
  void holderGone_holder_freesThePermitButItsWriteMayRunOn() {
    rateLimiter.wants(UPDATE, A, B).die(A).die(A).giveBack(A, 1, PermitResult.SUCCEEDED);

    rateLimiter.came("0 a").fire().verified(VerificationResult.SETTLED).came("1 look-a b");
  }

  @Test
  void request_neverRegisteredOrGone_isIgnored() {
    rateLimiter.send(new RateLimiterEvent.Requested(A, Priority.of(UPDATE))).came("").waiting("");

    rateLimiter.wants(UPDATE, A, B).die(B).back(A);
    rateLimiter
        .send(new RateLimiterEvent.Requested(B, Priority.of(UPDATE)))
        .came("0 a")
        .waiting("");
  }

  @Test
  void holderGone_waiter_leavesTheLine() {
    rateLimiter.wants(UPDATE, A, B).die(B).back(A).came("0 a").waiting("").wakes("");
  }

  @Test
  void holderGone_holdsAndWaitsAgain_losesBoth() {
    rateLimiter.wants(UPDATE, A).wants(RETRY, A).die(A).waiting("");

    rateLimiter.fire().verified(VerificationResult.SETTLED).came("0 a, 1 look-a").wakes("");
  }

  @Test
  void deadline_permitIsNotGivenBack_isLostAndItsPoolIsLookedAtAfterASecond() {
    rateLimiter.wants(UPDATE, A, B).fire().came("0 a, 60 lost-a").told("60 settling-a<360");

    rateLimiter.fire().verified(VerificationResult.SETTLED).came("61 look-a b");
    rateLimiter
        .giveBack(A, 1, PermitResult.SUCCEEDED)
        .wants(UPDATE, Z)
        .came("")
        .back(B)
        .came("61 z");
  }

  @Test
  void deadline_severalAreLate_allAreLostAtOnce() {
    rateLimiter.wants(UPDATE, A).seconds(10).wants(UPDATE, C).seconds(10).wants(UPDATE, E);

    rateLimiter.seconds(50).timer().came("0 a, 10 c, 20 e, 70 lost-a lost-c").wakes("71");
  }
}
