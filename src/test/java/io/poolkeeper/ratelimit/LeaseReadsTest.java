package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PermitResult;
import io.poolkeeper.ratelimit.RateLimiterEffect.Recall;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A read that is slow while others want the shared Lease: sessions grant members for 5 s and are
 * over after 15 s, and drains go without it after 10 s.
 */
class LeaseReadsTest extends RateLimiterCase {
  LeaseReadsTest() {
    super(RateLimiterDriver.wide().needLease());
  }

  /** A reads; from the tail on somebody else wants the Lease, and the session ends. */
  private RateLimiterDriver recalled() {
    rateLimiter.wants(UPDATE, A).held(1).seconds(5).wants(UPDATE, C).cancel(C).free();
    return rateLimiter.came("0 want/0 a none/0, 5 recall-a want/1 none/1");
  }

  /** A reads in the session, and has not read when its tail begins and somebody else wants it. */
  private RateLimiterDriver readsAgain(long session) {
    return rateLimiter.wants(UPDATE, A).held(session).seconds(5).wants(UPDATE, C);
  }

  @Test
  void reads_nobodyWants_keepsItInTheTail() {
    rateLimiter.wants(UPDATE, A).held(1).seconds(6).timer().came("0 want/0 a none/0");
  }

  @Test
  void recalled_once_theSecondReadKeepsTheSessionToItsEnd_asAWriteDoes() {
    recalled().seconds(3).back(A, UNCHANGED);

    readsAgain(2).came("8 want/1 a none/1, 13 want/1");

    rateLimiter.seconds(3).writes(A).accepted(A).fire().came("21 recall-a want/2");
  }

  @Test
  void reads_alwaysSlowerThanMaxHold_othersAlwaysWant_writesInTheSecondPermit() {
    int permits = 0;
    boolean recalled = true;
    while (recalled && permits < 9) {
      recalled = readsAgain(++permits).effects().stream().anyMatch(Recall.class::isInstance);
      rateLimiter.cancel(C).seconds(3);
      if (recalled) {
        rateLimiter.free().back(A, UNCHANGED);
      }
    }

    assertThat(permits).isEqualTo(2);
  }

  @Test
  void recalled_secondPermitIsOver_theNextReadIsRecalledAgain() {
    recalled().back(A, UNCHANGED).wants(UPDATE, A).held(2).back(A).free();
    rateLimiter.came("5 want/1 a none/1 none/2");

    readsAgain(3).came("5 want/2 a none/2, 10 recall-a want/3");
  }

  @ParameterizedTest
  @EnumSource(names = {"UNUSED", "UNREAD", "OTHER_WRITER", "SUCCEEDED"})
  void recalled_permitEndedOtherwiseThanByASlowRead_theNextReadIsRecalledAgain(
      PermitResult result) {
    recalled().back(A, result).seconds(1).timer();
    rateLimiter
        .verifications()
        .forEach(verification -> rateLimiter.verified(verification.verification(), SETTLED));
    rateLimiter.came(result.settles() ? "6 look-a" : "");

    readsAgain(2).came("6 want/1 a none/1, 11 recall-a want/2");
  }

  @Test
  void recalled_requestWithdrawn_theNextReadIsRecalledAgain() {
    recalled().back(A, UNCHANGED).wants(UPDATE, A).cancel(A).came("5 want/1 none/1");

    readsAgain(2).came("5 want/1 a none/1, 10 recall-a want/2");
  }

  @Test
  void recalled_members_aDrainAfterThat_waitsFromItsRequest() {
    recalled().back(A, UNCHANGED).wants(DRAIN, A).fire().came("5 drain/1, 15 bypass-a a none/1");
  }

  @Test
  void recalled_requesterIsGone_isForgotten() {
    recalled().die(A).seconds(1).timer().verified(SETTLED).came("6 look-a");

    readsAgain(2).came("6 want/1 a none/1, 11 recall-a want/2");
  }

  @Test
  void drainReads_othersWant_isNotRecalledBeforeTheEndOfTheSession() {
    rateLimiter.wants(DRAIN, A).held(1).seconds(6).wants(UPDATE, C);

    rateLimiter.came("0 drain/0 a none/0, 6 want/0").wakes("60");
  }

  @Test
  void drainReads_grantedInTheTailOfAnothersRead_isNotRecalledForWhoWants() {
    rateLimiter.wants(UPDATE, A).held(1).seconds(6).wants(DRAIN, C).wants(UPDATE, E);
    rateLimiter.came("0 want/0 a none/0, 6 c want/0");

    rateLimiter.back(C).came("6 recall-a want/1");
  }

  @Test
  void drainReads_sessionIsOver_goesWithoutItBeforeAnOlderRequestThatHasNotWaited() {
    rateLimiter.wants(DRAIN, A).held(1).seconds(15).free().came("0 drain/0 a none/0, 15 recall-a");
    rateLimiter.wants(DRAIN, B).seconds(1).back(A, UNCHANGED).came("16 drain/0");

    rateLimiter.wants(DRAIN, A).came("16 bypass-a a none/0");
  }

  @Test
  void drainReads_sessionIsOver_goesWithoutItWhenItHasRead_evenIfItCouldBeHad() {
    rateLimiter.wants(DRAIN, A).held(1).seconds(15).free().came("0 drain/0 a none/0, 15 recall-a");
    rateLimiter.wants(UPDATE, C).held(2).told("0 writes-lb-1<15, 15 writes-lb-2<30");

    rateLimiter.seconds(1).back(A, UNCHANGED).wants(DRAIN, A).told("16 writes-lb-1<76").free();

    rateLimiter.came("15 want/0 c none/0, 16 bypass-a a recall-c");
  }

  @Test
  void drainReads_sessionIsLost_waitsForTheLeaseFromTheBeginOfItsPermit() {
    rateLimiter.seconds(1).wants(DRAIN, A).held(1).seconds(3).busy();

    rateLimiter.seconds(4).back(A, UNCHANGED).wants(DRAIN, A).fire();

    rateLimiter.came("1 drain/0 a none/0, 4 recall-a, 8 drain/0, 11 bypass-a a none/0");
  }

  @Test
  void drainReads_sessionIsLostTwice_waitsFromTheBeginOfTheFirstPermit() {
    rateLimiter.wants(DRAIN, A).held(1).seconds(3).free().back(A, UNCHANGED).wants(DRAIN, A);
    rateLimiter.held(2).came("0 drain/0 a none/0, 3 recall-a drain/0 a none/0").seconds(3).free();

    rateLimiter.back(A, UNCHANGED).wants(DRAIN_RETRY, A).fire();

    rateLimiter.came("6 recall-a drain/0, 10 bypass-a a none/0");
  }

  @Test
  void drainReads_recalled_wantsNothingUntilLongAfter_waitsAsIfForTheFirstTime() {
    rateLimiter
        .wants(DRAIN, A)
        .held(1)
        .free()
        .back(A, UNCHANGED)
        .came("0 drain/0 a none/0 recall-a");

    rateLimiter.seconds(61).wants(DRAIN, A).fire().came("61 drain/0, 71 bypass-a a none/0");
  }

  @Test
  void drainReads_recalled_membersAskNext_needTheLease() {
    rateLimiter.wants(DRAIN, A).held(1).free().seconds(20).back(A, UNCHANGED).wants(UPDATE, A);

    rateLimiter.came("0 drain/0 a none/0 recall-a, 20 want/0").held(2).came("20 a none/0");
  }

  @Test
  void drainReads_recalled_withoutADrainWait_needsTheLease() {
    rateLimiter.needLease(Optional.empty(), Optional.empty()).wants(DRAIN, A).held(1).free();
    rateLimiter.seconds(20).back(A, UNCHANGED).wants(DRAIN, A, B).wakes("");

    rateLimiter.held(2).came("0 drain/0 a none/0 recall-a, 20 drain/0 a none/0");
  }
}
