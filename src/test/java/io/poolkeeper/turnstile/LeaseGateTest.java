package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Turns while the shared Lease is needed: sessions grant members for 5 s and are over after 15 s,
 * and drains go without it after 10 s.
 */
class LeaseGateTest extends TurnstileCase {
  LeaseGateTest() {
    super(TurnstileDriver.wide().needLease());
  }

  private TurnstileDriver heldUntil(int members) {
    Instant tail = T0.plusSeconds(5);
    return turnstile.stands(
        new LeaseStanding.Held(1, T0.plusSeconds(members), tail, T0.plusSeconds(15)));
  }

  @Test
  void requested_isNotGrantedButDemanded_andNoTimerRuns() {
    turnstile.wants(UPDATE, A).came("0 want/0").wakes("").waiting("a LEASE");
  }

  @Test
  void requested_whileATokenIsMissing_isNotDemandedBeforeItIsThere() {
    TurnstileDriver poor = TurnstileDriver.withReads(1).needLease().sent(false, 3);

    poor.wants(UPDATE, A).fire().came("3 want/0").wakes("");
  }

  @Test
  void held_grantsAllLoadBalancers_andEndsWhenTheLastTurnIsBack() {
    turnstile.wants(UPDATE, A, C).held(1).back(A).came("0 want/0 a c none/0");
    turnstile.told("0 writes-lb-1<15 writes-lb-2<15").back(C, FAILED).came("0 none/1");
  }

  @Test
  void held_nextOfTheSameLoadBalancer_isGrantedInTheSameSession() {
    turnstile.wants(UPDATE, A, B).held(1).back(A).came("0 want/0 a none/0 b");
  }

  @Test
  void held_nobodyNeedsItAnyMore_endsAtOnce() {
    turnstile.wants(UPDATE, A).cancel(A).held(1).came("0 want/0 none/0 none/1");
  }

  @Test
  void held_afterItsEnd_grantsNothingMore() {
    turnstile.wants(UPDATE, A).held(1).back(A).wants(UPDATE, A);

    turnstile.came("0 want/0 a none/0 none/1 want/1");
  }

  @Test
  void held_forMaxHold_endsGrantingAndWaitsForTheTurnsThatAreOut() {
    turnstile.wants(UPDATE, A, B).held(1).seconds(5).back(A).came("0 want/0 a none/0, 5 want/1");
  }

  @ParameterizedTest
  @EnumSource(names = {"UNRESOLVED", "OTHER_WRITER", "SUPERSEDED"})
  void held_turnBecomesSettling_endsAndLooksNeedNone(TurnResult result) {
    turnstile.wants(UPDATE, A).held(1).back(A, result).free().fire();

    turnstile.came("0 want/0 a none/0 none/1, 1 look-a");
  }

  @Test
  void held_throttled_endsAndIsNotDemandedBeforeTheGateOpens() {
    turnstile.wants(UPDATE, A, B).held(1).close("writes", 20).back(A, FAILED).fire();

    turnstile.came("0 want/0 a none/0 none/1, 20 want/1");
  }

  @Test
  void lost_holderIsRecalled_andItsTurnCountsForNoLaterSession() {
    turnstile.wants(UPDATE, A).held(1).seconds(1).free().came("0 want/0 a none/0, 1 recall-a");

    turnstile.wants(UPDATE, C).held(2).back(C).back(A).came("1 want/0 c none/0 none/2");
  }

  @Test
  void held_saidAgainOrCutShort_keepsItsTurns() {
    turnstile.wants(UPDATE, A).held(1).held(1);
    heldUntil(1).came("0 want/0 a none/0").back(A).came("0 none/1");
  }

  @Test
  void accepted_writeIsSlow_sessionEndsATailLater_andOthersGetTheNext() {
    turnstile.wants(UPDATE, A, B).held(1).seconds(1).accepted(A).fire();
    turnstile.came("0 want/0 a none/0, 6 recall-a none/1");

    turnstile.free().wants(UPDATE, C).held(2).back(C).back(A);

    turnstile.came("6 want/1 c none/1 none/2 want/2");
  }

  @Test
  void accepted_ofALoadBalancerWithoutATurn_meansNothing() {
    turnstile.wants(UPDATE, A).held(1).accepted(C).came("0 want/0 a none/0").wakes("60");
  }

  @Test
  void tail_whoWrites_keepsIt() {
    turnstile.wants(UPDATE, A).held(1).writes(A).seconds(6).wants(UPDATE, C);

    turnstile.came("0 want/0 a none/0, 6 want/0");
  }

  @Test
  void tail_drainsAtOtherLoadBalancersAreGranted_othersNot_andTheyDoNotKeepIt() {
    turnstile.wants(UPDATE, A).held(1).writes(A).seconds(6).wants(UPDATE, C).cancel(C);
    turnstile.came("0 want/0 a none/0, 6 want/0 none/0").told("0 writes-lb-1<15");

    turnstile.wants(DRAIN, C).told("6 writes-lb-2<15").back(A).came("6 c recall-c none/1");
  }

  @Test
  void over_noAnswerToAWrite_drainsGoUntilThen_andAreDeniedAfterIt() {
    turnstile.wants(UPDATE, A).held(1).writes(A).after(Duration.ofMillis(14_999)).wants(DRAIN, C);
    turnstile.back(C).came("0 want/0 a none/0, 14.999 c");

    turnstile.after(Duration.ofMillis(1)).wants(DRAIN, C).free().fire();

    turnstile.came("15 drain/0 recall-a, 25 bypass-c c none/0");
  }

  @Test
  void held_membersUntilNow_asTheCloudProviderWaits_drainsAreGrantedAndKeepIt() {
    turnstile.wants(DRAIN, A).wants(UPDATE, C);

    heldUntil(0).came("0 drain/0 a want/0").back(A).came("0 want/1");
  }

  @Test
  void busy_viewSaysWhoAndSinceWhen() {
    turnstile.wants(UPDATE, A).busy().waiting("a LEASE 900");

    assertThat(turnstile.view().waiting(T0).getFirst().text())
        .isEqualTo("the shared Lease is held by peer since 2026-11-21T10:00:00Z");
  }
}
