package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.LeaseBypassed;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who goes without the shared Lease while it cannot be had, and after how long. */
class LeaseAwayTest extends LeaseTurns {
  @Test
  void busy_drainGoesWithoutItAfterItsWait_othersDoNot() {
    turnstile.request(A, Lane.DRAIN).request(B, Lane.UPDATE).request(C, Lane.RETRY);
    busy();
    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plus(WAIT));
    assertThat(turnstile.granted()).containsExactly(A);
    assertThat(turnstile.effects()).contains(new LeaseBypassed(A.pool()));
    assertThat(turnstile.grants().getFirst().evenIfUpdating()).isFalse();
    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).isEmpty();
  }

  @Test
  void busy_drainIsTriedAgain_doesNotWaitAgain() {
    turnstile.request(A, Lane.DRAIN);
    busy();
    turnstile.fire();
    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);

    turnstile.seconds(11).request(A, Lane.DRAIN_RETRY);

    assertThat(turnstile.granted()).containsExactly(A);
    assertThat(turnstile.effects()).contains(new LeaseBypassed(A.pool()));
  }

  @Test
  void busyAgain_afterASession_drainWaitsAgain() {
    turnstile.request(A, Lane.DRAIN);
    busy();
    turnstile.fire();
    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);
    held(1);
    busy();

    assertThat(turnstile.seconds(11).request(A, Lane.DRAIN_RETRY).granted()).isEmpty();
  }

  @Test
  void busy_drainThatCameLater_waitsForItself() {
    busy();
    turnstile
        .seconds(8)
        .request(A, Lane.DRAIN_RETRY)
        .seconds(9)
        .send(new TurnstileEvent.TimerDue());
    assertThat(turnstile.granted()).isEmpty();

    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(18));
    assertThat(turnstile.granted()).containsExactly(A);
  }

  @Test
  void busy_settleLimitIsOver_drainWithoutItStillDoesNotWriteIntoAnotherWrite() {
    turnstile.request(B, Lane.UPDATE);
    held(1);
    turnstile.giveBack(B, 1, TurnResult.UNRESOLVED).request(A, Lane.DRAIN);
    busy();
    turnstile.after(Duration.ofMinutes(5)).send(new TurnstileEvent.TimerDue());

    assertThat(turnstile.grants())
        .singleElement()
        .satisfies(grant -> assertThat(grant.evenIfUpdating()).isFalse());
  }

  @Test
  void busy_withoutADrainWait_waitsForEver() {
    needing(turnstile, Optional.empty(), Optional.empty()).request(A, Lane.DRAIN);
    busy();

    assertThat(turnstile.wakeAt()).isEmpty();
  }

  private static LeaseStanding unreachable(Instant since, Optional<Instant> busyUntil) {
    return new LeaseStanding.Unreachable("away", since, busyUntil);
  }

  @Test
  void unreachable_drainGoesWithoutItAfterItsWait_membersNever() {
    turnstile.request(A, Lane.DRAIN).request(C, Lane.UPDATE);
    stands(unreachable(T0, Optional.empty()));
    assertThat(turnstile.view().leaseProblem()).contains("the shared Lease cannot be had: away");

    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plus(WAIT));
    assertThat(turnstile.granted()).containsExactly(A);
    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);
    assertThat(turnstile.wakeAt()).isEmpty();
  }

  @Test
  void unreachable_membersGoWithoutItAfterTheirTime_ifTheyMay() {
    Optional<Duration> after = Optional.of(Duration.ofMinutes(1));
    turnstile = needing(TurnstileDriver.wide(), Optional.of(WAIT), after).request(A, Lane.UPDATE);
    turnstile.seconds(20);
    stands(unreachable(T0.plusSeconds(15), Optional.empty()));

    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(75));
    assertThat(turnstile.granted()).containsExactly(A);
  }

  @Test
  void unreachable_somebodyElseHadIt_membersWaitUntilItsEnd() {
    Optional<Duration> after = Optional.of(Duration.ofMinutes(1));
    turnstile = needing(TurnstileDriver.wide(), Optional.of(WAIT), after).request(A, Lane.UPDATE);
    stands(unreachable(T0, Optional.of(T0.plusSeconds(900))));

    turnstile.fire();

    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(900));
    assertThat(turnstile.granted()).containsExactly(A);
  }

  @Test
  void unreachable_forLong_membersThatComeLaterDoNotWaitAnew() {
    Optional<Duration> after = Optional.of(Duration.ofMinutes(1));
    turnstile = needing(TurnstileDriver.wide(), Optional.of(WAIT), after);
    stands(unreachable(T0, Optional.empty()));

    turnstile.seconds(61).request(A, Lane.UPDATE);

    assertThat(turnstile.granted()).containsExactly(A);
  }
}
