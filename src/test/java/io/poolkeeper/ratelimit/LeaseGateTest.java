package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.PermitResult;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Permits while the shared Lease is needed: sessions grant members for 5 s and are over after 15 s,
 * and drains go without it after 10 s.
 */
class LeaseGateTest extends RateLimiterCase {
  LeaseGateTest() {
    super(RateLimiterDriver.wide().needLease());
  }

  private RateLimiterDriver heldUntil(int members) {
    Instant tail = T0.plusSeconds(5);
    return rateLimiter.stands(
        new LeaseStanding.Held(1, T0.plusSeconds(members), tail, T0.plusSeconds(15)));
  }

  @Test
  void requested_isNotGrantedButDemanded_andNoTimerRuns() {
    rateLimiter.wants(UPDATE, A).came("0 want/0").wakes("").waiting("a LEASE");
  }

  @Test
  void requested_whileATokenIsMissing_isNotDemandedBeforeItIsThere() {
    RateLimiterDriver poor = RateLimiterDriver.withReads(1).needLease().sent(false, 3);

    poor.wants(UPDATE, A).fire().came("3 want/0").wakes("");
  }

  @Test
  void held_grantsAllLoadBalancers_andEndsWhenTheLastPermitIsBack() {
    rateLimiter.wants(UPDATE, A, C).held(1).back(A).came("0 want/0 a c none/0");
    rateLimiter.told("0 writes-lb-1<15 writes-lb-2<15").back(C, FAILED).came("0 none/1");
  }

  @Test
  void held_nextOfTheSameLoadBalancer_isGrantedInTheSameSession() {
    rateLimiter.wants(UPDATE, A, B).held(1).back(A).came("0 want/0 a none/0 b");
  }

  @Test
  void held_nobodyNeedsItAnyMore_endsAtOnce() {
    rateLimiter.wants(UPDATE, A).cancel(A).held(1).came("0 want/0 none/0 none/1");
  }

  @Test
  void held_afterItsEnd_grantsNothingMore() {
    rateLimiter.wants(UPDATE, A).held(1).back(A).wants(UPDATE, A);

    rateLimiter.came("0 want/0 a none/0 none/1 want/1");
  }

  @Test
  void held_forMaxHold_endsGrantingAndWaitsForThePermitsThatAreOut() {
    rateLimiter.wants(UPDATE, A, B).held(1).seconds(5).back(A).came("0 want/0 a none/0, 5 want/1");
  }

  @ParameterizedTest
  @EnumSource(names = {"UNRESOLVED", "OTHER_WRITER", "SUPERSEDED"})
  void held_permitBecomesSettling_endsAndLooksNeedNone(PermitResult result) {
    rateLimiter.wants(UPDATE, A).held(1).back(A, result).free().fire();

    rateLimiter.came("0 want/0 a none/0 none/1, 1 look-a");
  }

  @Test
  void held_throttled_endsAndIsNotDemandedBeforeTheGateOpens() {
    rateLimiter.wants(UPDATE, A, B).held(1).close("writes", 20).back(A, FAILED).fire();

    rateLimiter.came("0 want/0 a none/0 none/1, 20 want/1");
  }

  @Test
  void lost_holderIsRecalled_andItsPermitCountsForNoLaterSession() {
    rateLimiter.wants(UPDATE, A).held(1).seconds(1).free().came("0 want/0 a none/0, 1 recall-a");

    rateLimiter.wants(UPDATE, C).held(2).back(C).back(A).came("1 want/0 c none/0 none/2");
  }

  @Test
  void held_saidAgainOrCutShort_keepsItsPermits() {
    rateLimiter.wants(UPDATE, A).held(1).held(1);
    heldUntil(1).came("0 want/0 a none/0").back(A).came("0 none/1");
  }

  @Test
  void accepted_writeIsSlow_sessionEndsATailLater_andOthersGetTheNext() {
    rateLimiter.wants(UPDATE, A, B).held(1).seconds(1).accepted(A).fire();
    rateLimiter.came("0 want/0 a none/0, 6 recall-a none/1");

    rateLimiter.free().wants(UPDATE, C).held(2).back(C).back(A);

    rateLimiter.came("6 want/1 c none/1 none/2 want/2");
  }

  @Test
  void accepted_ofALoadBalancerWithoutAPermit_meansNothing() {
    rateLimiter.wants(UPDATE, A).held(1).accepted(C).came("0 want/0 a none/0").wakes("60");
  }

  @Test
  void tail_whoWrites_keepsIt() {
    rateLimiter.wants(UPDATE, A).held(1).writes(A).seconds(6).wants(UPDATE, C);

    rateLimiter.came("0 want/0 a none/0, 6 want/0");
  }

  @Test
  void tail_drainsAtOtherLoadBalancersAreGranted_othersNot_andTheyDoNotKeepIt() {
    rateLimiter.wants(UPDATE, A).held(1).writes(A).seconds(6).wants(UPDATE, C).cancel(C);
    rateLimiter.came("0 want/0 a none/0, 6 want/0 none/0").told("0 writes-lb-1<15");

    rateLimiter.wants(DRAIN, C).told("6 writes-lb-2<15").back(A).came("6 c recall-c none/1");
  }

  @Test
  void over_noAnswerToAWrite_drainsGoUntilThen_andAreDeniedAfterIt() {
    rateLimiter.wants(UPDATE, A).held(1).writes(A).after(Duration.ofMillis(14_999)).wants(DRAIN, C);
    rateLimiter.back(C).came("0 want/0 a none/0, 14.999 c");

    rateLimiter.after(Duration.ofMillis(1)).wants(DRAIN, C).free().fire();

    rateLimiter.came("15 drain/0 recall-a, 25 bypass-c c none/0");
  }

  @Test
  void held_membersUntilNow_asTheCloudProviderWaits_drainsAreGrantedAndKeepIt() {
    rateLimiter.wants(DRAIN, A).wants(UPDATE, C);

    heldUntil(0).came("0 drain/0 a want/0").back(A).came("0 want/1");
  }

  @Test
  void busy_viewSaysWhoAndSinceWhen() {
    rateLimiter.wants(UPDATE, A).busy().waiting("a LEASE 900");

    assertThat(rateLimiter.view().waiting(T0).getFirst().text())
        .isEqualTo("the shared Lease is held by peer since 2026-11-21T10:00:00Z");
  }
}
