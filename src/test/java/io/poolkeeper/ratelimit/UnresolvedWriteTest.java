package io.poolkeeper.ratelimit;

import static io.poolkeeper.model.PermitResult.CONFLICT;
import static io.poolkeeper.ratelimit.VerificationResult.UNKNOWN;
import static io.poolkeeper.ratelimit.VerificationResult.UPDATING;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PermitResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a load balancer or the whole subscription has to wait: unresolved writes and gates. */
class UnresolvedWriteTest extends RateLimiterCase {
  private static final int LIMIT = 300;

  /** A permit of A's at T0 ended so, and A and B wait for the next. */
  private RateLimiterDriver ended(PermitResult result) {
    return rateLimiter.wants(UPDATE, A).back(A, result).wants(UPDATE, A, B).came("0 a");
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "UNCHANGED", "UNREAD", "FAILED", "CONFLICT"})
  void returned_noWriteCanRun_isFreeAtOnce(PermitResult result) {
    rateLimiter
        .wants(UPDATE, A, B)
        .back(A, result)
        .came("0 a b")
        .back(B, result)
        .wakes("")
        .told("");
  }

  @ParameterizedTest
  @EnumSource(names = {"UNRESOLVED", "OTHER_WRITER", "SUPERSEDED"})
  void settling_everyLookInVain_comesAfterTwiceTheTimeUpTo30Seconds(PermitResult result) {
    ended(result).wants(UPDATE, C).back(C);
    for (int verification = 0; verification < 13; verification++) {
      rateLimiter.fire().verified(UPDATING);
    }
    rateLimiter.fire();

    rateLimiter.came(
        "0 c, 1 look-a, 3 look-a, 7 look-a, 15 look-a, 31 look-a, 61 look-a, 91 look-a,"
            + " 121 look-a, 151 look-a, 181 look-a, 211 look-a, 241 look-a, 271 look-a, 300 a!");
    rateLimiter.told("0 settling-a<300, 31 slowest-lb-1=30, 300 settled-lb-1");
  }

  @Test
  void settling_nobodyWaits_isLookedAtAllTheSame() {
    rateLimiter.wants(UPDATE, A).back(A, UNRESOLVED).fire().verified(SETTLED).came("0 a, 1 look-a");

    rateLimiter.told("0 settling-a<300, 1 settled-lb-1").wakes("");
  }

  @Test
  void settling_lookInFlight_nothingElseIsDueButTheLimit() {
    ended(UNRESOLVED).fire().came("1 look-a").wakes("300").sent(false).came("");
  }

  /** Looks count as permits in flight: one that hangs keeps others waiting. */
  @Test
  void settling_look_isGivenUpAfterTenSeconds() {
    assertThat(ended(UNRESOLVED).fire().verifications().getFirst().deadline())
        .isEqualTo(T0.plusSeconds(11));
  }

  @Test
  void settling_pausesBeginWithTheEndOfTheLook() {
    ended(UNRESOLVED).fire().seconds(5).verified(UNKNOWN).fire().came("1 look-a, 8 look-a");
  }

  @Test
  void settling_nextWriteHasNoEndEither_beginsAnew() {
    ended(UNRESOLVED).fire().verified(UPDATING).fire().verified(SETTLED).back(A, UNRESOLVED);

    rateLimiter.fire().came("1 look-a, 3 look-a a, 4 look-a").verified(UPDATING).wakes("6");
    rateLimiter.told("0 settling-a<300, 3 settled-lb-1 settling-a<303");
  }

  @Test
  void settling_limitExactlyOver_writesAllTheSameAndOnce() {
    ended(OTHER_WRITER).seconds(LIMIT).after(Duration.ofNanos(-1)).timer();
    rateLimiter.came("299.999999999 look-a");

    rateLimiter.after(Duration.ofNanos(1)).timer().back(A, CONFLICT).came("300 a! b");
  }

  @Test
  void settling_limitOverAndAnotherPoolIsFirst_onlyThePoolThatShowedItWritesAllTheSame() {
    rateLimiter.wants(UPDATE, A).back(A, OTHER_WRITER).wants(UPDATE, B, A);

    rateLimiter.seconds(LIMIT).timer().back(B).came("0 a, 300 b a!");
  }

  @Test
  void settling_twoPoolsAreStuck_eachWritesAllTheSameInItsTime() {
    rateLimiter.wants(UPDATE, A).back(A, OTHER_WRITER).wants(UPDATE, B, A).seconds(LIMIT).timer();
    rateLimiter.back(B, OTHER_WRITER).wants(UPDATE, B).wants(DRAIN, A);

    rateLimiter.seconds(LIMIT).timer().back(A).came("0 a, 300 b, 600 a! b!");
  }

  @Test
  void settling_limitIsOverWhenTheGateOpens_isNotLookedAtAnyMore() {
    ended(UNRESOLVED).close("reads", 600).seconds(600).timer().came("600 a!");
  }

  @Test
  void settling_limitIsOverButTheGateOfTheLoadBalancerIsClosed_waitsForThat() {
    ended(UNRESOLVED).close("lb-1", 600).fire().came("600 a!");
  }

  @Test
  void settling_limitIsOverAndNobodyWaits_isStillLookedAt() {
    ended(UNRESOLVED).cancel(A).cancel(B).seconds(360).timer().verified(SETTLED);

    rateLimiter.wants(UPDATE, B).came("360 look-a b");
  }

  @Test
  void settling_limitIsOver_endsWithTheNextPermit() {
    rateLimiter.wants(UPDATE, A).back(A, OTHER_WRITER).seconds(LIMIT).timer();
    rateLimiter.told("0 settling-a<300").wants(UPDATE, A).told("300 settled-lb-1");
  }

  @Test
  void looked_settlingHasEndedByItsLimit_changesNothing() {
    ended(UNRESOLVED);
    long verification = rateLimiter.fire().verifications().getFirst().verification();
    rateLimiter.seconds(LIMIT).timer().back(A, UNRESOLVED);

    rateLimiter
        .verified(verification, SETTLED)
        .verified(verification, SETTLED)
        .came("1 look-a, 301 a!")
        .wakes("302");
  }

  @Test
  void looked_twice_changesNothing() {
    ended(UNRESOLVED);
    long verification = rateLimiter.fire().verifications().getFirst().verification();

    rateLimiter
        .verified(verification, UPDATING)
        .verified(verification, SETTLED)
        .came("1 look-a")
        .wakes("3");
  }

  @ParameterizedTest
  @CsvSource({"reads,30", "writes,1", "lb-1,30"})
  void look_gateClosed_waitsForItUnlessItIsForWrites(String gate, int seconds) {
    ended(UNRESOLVED).close(gate, 30).fire().came(seconds + " look-a");
  }

  @Test
  void look_noReadToken_waitsForOneAndGoesBeforeListingAndPermits() {
    RateLimiterDriver poor = RateLimiterDriver.withReads(2);
    poor.wants(UPDATE, A).back(A, UNRESOLVED).sent(false, 4).wants(UPDATE, C).requestListing();

    poor.seconds(3).timer().came("0 a, 3 look-a").wakes("4");
  }

  @Test
  void look_manySettle_noMoreAreInFlightThanPermitsMayBe() {
    RateLimiterDriver two = RateLimiterDriver.with(100, 100, 2);
    for (Requester requester : List.of(A, C, E)) {
      two.wants(UPDATE, requester).back(requester, UNRESOLVED);
    }

    two.fire().wakes("").verified(SETTLED).came("0 a c e, 1 look-a look-c look-e");
  }

  @Test
  void throttled_oneLoadBalancer_closesItAloneAndNeverForLess() {
    rateLimiter.close("lb-1", 30).close("lb-1", 10);

    rateLimiter.wants(DRAIN, A).wants(REPAIR, C).back(C).fire().came("0 c, 30 a");
    rateLimiter.told("0 closed-lb-1<30, 30 open-lb-1");
  }

  @Test
  void throttled_whileTheTurnIsOut_countsAfterItsReturn() {
    rateLimiter.wants(UPDATE, A, B).close("lb-1", 30).back(A).fire().came("0 a, 30 b");
  }

  @Test
  void throttled_whileWaitingForAnother_isExtended() {
    rateLimiter.close("lb-1", 10).close("lb-2", 10).wants(UPDATE, A, C);
    rateLimiter.close("lb-1", 20);

    rateLimiter.fire().back(C).fire().came("10 c, 20 a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"reads", "writes"})
  void throttled_subscription_stopsEveryLevelAndOpensSlowly(String gate) {
    rateLimiter.close(gate, 30).wants(DRAIN, A).wants(UPDATE, C).wants(DRAIN_RETRY, E);

    rateLimiter.came("").fire().fire().came("30 a, 31 c e");
  }

  @ParameterizedTest
  @CsvSource({"writes,0 listing", "reads,30 listing"})
  void listing_gateClosed_waitsForThatOfReadsAlone(String gate, String came) {
    rateLimiter.close(gate, 30).requestListing();
    assertThat(rateLimiter.view().listingWaits()).isEqualTo(gate.equals("reads"));
    rateLimiter.fire();
    assertThat(rateLimiter.view().listingWaits()).isFalse();

    rateLimiter.came(came).wakes("");
  }

  @Test
  void listing_askedForTwiceWhileAPermitIsOut_isGrantedOnceAndNeedsNoPermit() {
    RateLimiterDriver one = RateLimiterDriver.with(100, 100, 1).wants(UPDATE, A);

    one.close("reads", 10).requestListing().requestListing().fire().came("0 a, 10 listing");
  }
}
