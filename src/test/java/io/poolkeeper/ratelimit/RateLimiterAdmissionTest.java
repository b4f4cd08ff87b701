package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.Bucket.DRAIN_RESERVE;
import static io.poolkeeper.ratelimit.Bucket.READS;
import static io.poolkeeper.ratelimit.Bucket.WRITES;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PermitResult;
import io.poolkeeper.retry.RetryBudget;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a permit costs and who has to pay: tokens and the retry budget (architecture, The rate
 * limiter).
 */
class RateLimiterAdmissionTest extends RateLimiterCase {
  /** Two retries that failed have spent the budget. */
  private static RateLimiterDriver broke(RateLimiterDriver rateLimiter) {
    rateLimiter.wants(RETRY, A).back(A, FAILED).wants(RETRY, A).back(A, FAILED).came("0 a a");
    return rateLimiter.budget(0);
  }

  @Test
  void sent_anyCall_costsATokenOfItsKind() {
    RateLimiterDriver.with(10, 5, 16)
        .sent(true, 3)
        .sent(false, 7)
        .holds(WRITES, 7)
        .holds(DRAIN_RESERVE, 5)
        .holds(READS, 993);
  }

  @Test
  void request_permitsOutMayStillWrite_needsATokenMoreThanThose() {
    RateLimiterDriver.with(2, 0, 16).wants(UPDATE, A, C, E).came("0 a c").back(C).came("0 e");
  }

  @Test
  void request_noWriteToken_goesToTheNanosecondAtWhichThereIsOne() {
    RateLimiterDriver.with(2, 0, 16).sent(true, 3).wants(UPDATE, A).fire().came("2000 a");
  }

  @Test
  void request_noReadToken_stopsEveryLevelUntilThereIsOne() {
    RateLimiterDriver poor = RateLimiterDriver.withReads(5).sent(false, 7);

    poor.wants(DRAIN, A).wants(UPDATE, C).fire().fire().came("3 a, 4 c");
  }

  @Test
  void request_morePermitsThanReadTokensFit_waitForAReturnWithoutATimer() {
    RateLimiterDriver.withReads(1).wants(UPDATE, A, C).came("0 a").wakes("60").back(A).came("0 c");
  }

  @Test
  void listing_permitsWaitForEveryReadToken_hasOneOfThem() {
    RateLimiterDriver poor = RateLimiterDriver.withReads(5).sent(false, 5);

    poor.wants(UPDATE, A, B).requestListing().fire().came("1 listing a");
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAIN", "DRAIN_RETRY"})
  void request_commonTokensAreGone_drainsGoOnTheReserve(PriorityLevel level) {
    RateLimiterDriver poor = RateLimiterDriver.with(0, 1, 16).wants(level, A).sent(true, 1);

    poor.wants(level, C).back(A).came("0 a").holds(WRITES, 0).holds(DRAIN_RESERVE, 0);
  }

  @Test
  void deadlineOrDeath_drain_isPaidByTheReserve() {
    RateLimiterDriver poor = RateLimiterDriver.with(5, 2, 16).wants(DRAIN, A, C).die(A);
    poor.holds(DRAIN_RESERVE, 1).seconds(60).timer().holds(DRAIN_RESERVE, 0);
  }

  @Test
  void request_drainsThatFailWithoutEnd_endWithTheReserve() {
    RateLimiterDriver poor = RateLimiterDriver.with(10, 5, 16).wants(DRAIN, A);
    int writes = 0;
    for (; !poor.granted().isEmpty() && writes < 100; writes++) {
      poor.sent(true).back(A, FAILED).wants(DRAIN, A);
    }
    assertThat(writes).isEqualTo(15);
  }

  @Test
  void request_retriedDrainAndNoReserve_hasTheNextCommonTokenBeforeUpdates() {
    RateLimiterDriver poor = RateLimiterDriver.with(1, 0, 16).sent(true, 1);

    poor.wants(REPAIR, E).wants(UPDATE, C).wants(DRAIN_RETRY, A).fire().came("1000 a");
  }

  @Test
  void request_retriedDrainAndUpdatesWithoutEnd_isGrantedThoughTheReserveNeverFills() {
    RateLimiterDriver poor = RateLimiterDriver.with(2, 0, 1).wants(UPDATE, C);

    poor.wants(DRAIN_RETRY, A).wants(UPDATE, E).sent(true, 1).back(C).came("0 c a");
  }

  @Test
  void request_retriedDrainAndAReserve_comesAfterUpdatesAndIsPaidByIt() {
    RateLimiterDriver poor = RateLimiterDriver.with(5, 1, 1).wants(UPDATE, A);
    poor.wants(DRAIN_RETRY, C).wants(UPDATE, E).back(A, E).came("0 a e c");

    poor.sent(true, 1).back(C, FAILED).holds(WRITES, 5).holds(DRAIN_RESERVE, 0);
  }

  @Test
  void request_manyUpdatesAreOut_doNotHoldUpDrainRetries() {
    RateLimiterDriver poor = RateLimiterDriver.with(2, 1, 16);

    poor.wants(UPDATE, A, C).wants(DRAIN_RETRY, E).came("0 a c e");
  }

  /** Of every result in their order: retries left of 2, tokens spent of the reserve and early. */
  @ParameterizedTest
  @CsvSource({
    "DRAIN,      2.5 2 2 2 2 2 2 2 2, 1 0 0 0 1 1 1 0 1, 0 0 0 0 0 0 0 0 0",
    "UPDATE,     2.5 2 2 2 2 2 2 2 2, 0 0 0 0 0 0 0 0 0, 0 0 0 0 0 0 0 0 0",
    "DRAIN_RETRY,2.5 2 2 2 2 2 2 2 2, 1 0 0 0 1 1 1 0 1, 0 0 0 0 0 0 0 0 0",
    "RETRY,      1.5 2 2 1 1 1 1 2 1, 0 0 0 0 0 0 0 0 0, 0 0 0 0 0 0 0 0 0",
    "EARLY,      2.5 2 2 2 2 2 2 2 2, 0 0 0 0 0 0 0 0 0, 1 0 0 0 1 1 1 0 1",
    "REPAIR,     1.5 2 2 1 1 1 1 2 1, 0 0 0 0 0 0 0 0 0, 0 0 0 0 0 0 0 0 0"
  })
  void giveBack_everyLevelAndResult_isPaidIfAWriteWasSent(
      PriorityLevel level, String budget, String reserve, String early) {
    List<PermitResult> results = List.of(PermitResult.values());
    for (int i = 0; i < results.size(); i++) {
      RateLimiterDriver one = RateLimiterDriver.wide().wants(level, A);
      one.budget(level.costsBudget() ? 1 : 2).after(Duration.ofMillis(1)).back(A, results.get(i));

      one.budget(number(budget, i))
          .holds(DRAIN_RESERVE, 100_000 - number(reserve, i))
          .holds(Bucket.EARLY, 50.0005 - number(early, i));
    }
  }

  private static double number(String numbers, int which) {
    return Double.parseDouble(numbers.split(" ", -1)[which]);
  }

  @ParameterizedTest
  @CsvSource({"UPDATE,2.5", "DRAIN,2.5", "DRAIN_RETRY,2.5", "RETRY,1", "REPAIR,1"})
  void grant_policyAttempt_depositsAtTheGrantAndNotAtTheEnd(PriorityLevel level, double balance) {
    RateLimiterDriver attempts = RateLimiterDriver.with(RateLimiterDriver.BUDGET, true);

    attempts.wants(level, A).budget(balance).back(A).budget(balance);
  }

  @Test
  void request_budgetIsEmpty_retriesAndRepairsWaitAndOthersGoOn() {
    broke(rateLimiter).wants(RETRY, A).wants(REPAIR, C).wants(UPDATE, C).wants(DRAIN, E);

    rateLimiter.came("0 c e").waiting("a RETRY_BUDGET 10").fire().came("10 a");
  }

  @Test
  void request_budgetIsEmpty_waitingCountsAsNoPass() {
    broke(rateLimiter).wants(UPDATE, A).wants(RETRY, B);
    // Given more updates than a priority level is passed over by, while there is nothing to pay
    // with
    for (int permit = 0; permit < 20; permit++) {
      rateLimiter.wants(UPDATE, A).back(A, FAILED);
    }
    rateLimiter.wants(UPDATE, A).came("0 a" + " a".repeat(20));

    // When there is again, then the update still goes first
    rateLimiter.seconds(20).back(A, FAILED).came("20 a");
  }

  @Test
  void request_lateAtItsLoadBalancerButBudgetIsEmpty_waits() {
    rateLimiter.wants(UPDATE, A).wants(RETRY, B);
    // Given a retry that is late at its load balancer, and others that spend the budget elsewhere
    for (int permit = 0; permit < 8; permit++) {
      rateLimiter.wants(UPDATE, A).back(A, FAILED);
    }
    rateLimiter.wants(UPDATE, A).wants(RETRY, C, E).came("0 a" + " a".repeat(8) + " c e").budget(0);

    // Then it has no permit that it could not pay for
    rateLimiter.back(A, FAILED).back(C, FAILED).came("0 a");
  }

  @Test
  void request_budgetIsEmpty_isBoughtByTwoSuccesses() {
    broke(rateLimiter).wants(RETRY, A).wants(UPDATE, C).back(C).came("0 c");

    rateLimiter.wants(UPDATE, C).back(C).came("0 c a").budget(0);
  }

  @Test
  void request_budgetIsEmpty_isNotBoughtByPermitsThatOnlyRead() {
    broke(rateLimiter).wants(RETRY, A);

    rateLimiter.wants(UPDATE, C).back(C, UNCHANGED).wants(UPDATE, C).back(C, UNCHANGED);

    rateLimiter.came("0 c c").budget(0);
  }

  @Test
  void giveBack_retryThatWroteNothing_leavesAFullBudgetAsItWas() {
    RetryBudget.Limits two = new RetryBudget.Limits(2, Duration.ofSeconds(10), 200, 100);
    RateLimiterDriver full = RateLimiterDriver.with(two, false).wants(RETRY, A).back(A, UNCHANGED);

    broke(full.came("0 a")).seconds(5).budget(0);
  }

  @Test
  void request_permitTokenOrGateIsMissing_costsNoRetry() {
    // Given a permit that is out, and then no token, no read, and a gate that is closed
    RateLimiterDriver poor =
        RateLimiterDriver.with(1, 0, 1).wants(UPDATE, A).wants(RETRY, B).budget(2);
    poor.sent(true, 1).back(A, FAILED).budget(2).close("writes", 5_000);

    // When all is there but the gate, then the retry is paid for only as it goes
    poor.seconds(2_000).timer().came("0 a").budget(2).fire().came("5000 b").budget(1);
  }

  @Test
  void wakeAt_gateTokenAndBudgetAreMissing_isWhenAllAreThere() {
    RateLimiterDriver poor =
        broke(RateLimiterDriver.with(2, 0, 16)).sent(true, 2).close("reads", 7);

    poor.wants(RETRY, A).fire().told("0 closed-reads<7, 7 open-reads").came("");
    poor.fire().came("1000 a");
  }

  @Test
  void wakeAt_budgetNeverComesBack_isNever() {
    RetryBudget.Limits none = new RetryBudget.Limits(20, Duration.ofSeconds(10), 0, 100);
    RateLimiterDriver poor = RateLimiterDriver.with(none, false).wants(RETRY, A).came("").wakes("");

    poor.wants(UPDATE, C).wakes("60").back(C).came("0 c a");
  }
}
