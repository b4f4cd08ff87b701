package io.poolkeeper.ratelimit;

import static io.poolkeeper.model.PermitResult.UNREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.LeaseStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who goes without the shared Lease while it cannot be had, and after how long: drains, 10 s. */
class LeaseAwayTest extends RateLimiterCase {
  private static final Optional<Duration> WAIT = Optional.of(Duration.ofSeconds(10));

  LeaseAwayTest() {
    super(RateLimiterDriver.wide().needLease());
  }

  @Test
  void busy_drainGoesWithoutItAfterItsWait_othersDoNot() {
    rateLimiter.wants(DRAIN, A).wants(UPDATE, B).wants(RETRY, C).busy().fire();

    rateLimiter.came("0 drain/0, 10 bypass-a a want/0").back(A).came("");
  }

  @Test
  void busy_drainIsTriedAgain_doesNotWaitAgain() {
    rateLimiter.wants(DRAIN, A).busy().fire().back(A).seconds(11).wants(DRAIN_RETRY, A);

    rateLimiter.came("0 drain/0, 10 bypass-a a none/0, 21 bypass-a a");
  }

  @Test
  void busyAgain_afterASession_drainWaitsAgain() {
    rateLimiter.wants(DRAIN, A).busy().fire().back(A).held(1).busy().seconds(11);

    rateLimiter.wants(DRAIN_RETRY, A).came("0 drain/0, 10 bypass-a a none/0 none/1, 21 drain/1");
  }

  @Test
  void busy_drainThatCameLater_waitsForItself() {
    rateLimiter.busy().seconds(8).wants(DRAIN_RETRY, A).seconds(9).timer().came("8 drain/0");

    rateLimiter.fire().came("18 bypass-a a none/0");
  }

  @Test
  void busy_settleLimitIsOver_drainWithoutItStillDoesNotWriteIntoAnotherWrite() {
    rateLimiter.wants(UPDATE, B).held(1).back(B, UNRESOLVED).wants(DRAIN, A).busy();

    rateLimiter.seconds(300).timer().came("0 want/0 b none/0 none/1, 300 bypass-a a");
  }

  @Test
  void busy_withoutADrainWait_waitsForEver() {
    rateLimiter.needLease(Optional.empty(), Optional.empty()).wants(DRAIN, A).busy().wakes("");
  }

  private static LeaseStanding away(int since, Optional<Instant> busyUntil) {
    return new LeaseStanding.Unreachable("away", T0.plusSeconds(since), busyUntil);
  }

  @Test
  void unreachable_drainGoesWithoutItAfterItsWait_membersNever() {
    rateLimiter.wants(DRAIN, A).wants(UPDATE, C).stands(away(0, Optional.empty()));
    assertThat(rateLimiter.view().leaseProblem()).contains("the shared Lease cannot be had: away");

    rateLimiter.fire().came("0 drain/0, 10 bypass-a a want/0").back(A).wakes("");
  }

  private RateLimiterDriver membersGoAfterAMinute() {
    return rateLimiter.needLease(WAIT, Optional.of(Duration.ofMinutes(1)));
  }

  @Test
  void unreachable_membersGoWithoutItAfterTheirTime_ifTheyMay() {
    membersGoAfterAMinute().wants(UPDATE, A).seconds(20).stands(away(15, Optional.empty()));

    rateLimiter.fire().came("0 want/0, 75 bypass-a a none/0");
  }

  @Test
  void unreachable_somebodyElseHadIt_membersWaitUntilItsEnd() {
    membersGoAfterAMinute().wants(UPDATE, A).stands(away(0, Optional.of(T0.plusSeconds(900))));

    rateLimiter.fire().came("0 want/0, 900 bypass-a a none/0");
  }

  @Test
  void unreachable_forLong_membersThatComeLaterDoNotWaitAnew() {
    membersGoAfterAMinute().stands(away(0, Optional.empty())).seconds(61).wants(UPDATE, A);

    rateLimiter.came("61 bypass-a a");
  }

  /**
   * Two drains of one load balancer, of which the first goes without the Lease. While it has its
   * permit nobody asks for the Lease, so that it seems free.
   */
  private RateLimiterDriver theFirstOfTwoHasGone() {
    rateLimiter.wants(DRAIN, A, B).stands(away(0, Optional.empty())).fire();
    return rateLimiter.came("0 drain/0, 10 bypass-a a none/0");
  }

  @Test
  void returned_nobodyHadTheLeaseMeanwhile_theSecondOneGoesWithoutItAtOnce() {
    theFirstOfTwoHasGone().free().seconds(2).back(A).came("12 bypass-b b");
  }

  @Test
  void returned_theLeaseCouldBeHadMeanwhile_theSecondOneAsksForIt() {
    theFirstOfTwoHasGone().held(1).free().seconds(2).back(A).came("10 none/1, 12 drain/1");
  }

  @Test
  void throttled_theFirstOneIsTriedAgain_goesWithoutItWhenTheGateOpens() {
    theFirstOfTwoHasGone().close("reads", 5).back(A, UNREAD).cancel(B).wants(DRAIN_RETRY, A);

    rateLimiter.free().busy().seconds(6).timer().came("16 bypass-a a");
  }

  @Test
  void returned_anOlderDrainElsewhereStillWaits_theNextOneHereGoesWithoutItAtOnce() {
    rateLimiter.busy().wants(DRAIN, A).seconds(4).wants(DRAIN, C).fire().seconds(2).wants(DRAIN, B);
    rateLimiter.came("0 drain/0, 10 bypass-a a").waiting("c LEASE 14, b TURN 70");

    rateLimiter
        .back(A)
        .came("12 bypass-b b")
        .waiting("c LEASE 14")
        .fire()
        .came("14 bypass-c c none/0");
  }
}
