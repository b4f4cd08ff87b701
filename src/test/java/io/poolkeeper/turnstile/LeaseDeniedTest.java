package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileEffect.DemandLease;
import io.poolkeeper.turnstile.TurnstileEffect.LeaseBypassed;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two drains of one load balancer while the Lease is unreachable: since when it was denied to the
 * second one. While the first one has its turn nobody asks for the Lease, so that it seems free.
 */
class LeaseDeniedTest {
  private static final LeaseStanding FREE = new LeaseStanding.Free();
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final TurnstileDriver turnstile = TurnstileDriver.wide();

  @BeforeEach
  void theFirstOneGoesWithoutIt() {
    LeaseTerms terms = new LeaseTerms(Optional.of(WAIT), Optional.empty(), Duration.ofSeconds(5));
    turnstile
        .send(new TurnstileEvent.LeaseNeeded(terms))
        .request(A, Lane.DRAIN)
        .request(B, Lane.DRAIN);
    stands(new LeaseStanding.Unreachable("away", T0, Optional.empty()));
    assertThat(turnstile.fire().granted()).containsExactly(A);
  }

  private void stands(LeaseStanding standing) {
    turnstile.send(new TurnstileEvent.LeaseStands(standing));
  }

  @Test
  void returned_nobodyHadTheLeaseMeanwhile_theSecondOneGoesWithoutItAtOnce() {
    stands(FREE);

    turnstile.seconds(2).giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.granted()).containsExactly(B);
    assertThat(turnstile.effects()).contains(new LeaseBypassed(B.pool()));
  }

  @Test
  void returned_theLeaseCouldBeHadMeanwhile_theSecondOneAsksForIt() {
    stands(new LeaseStanding.Held(1, T0.plusSeconds(15), T0.plusSeconds(15), T0.plusSeconds(25)));
    stands(FREE);

    turnstile.seconds(2).giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.granted()).isEmpty();
    assertThat(turnstile.effects()).contains(new DemandLease(new LeaseDemand(true, true, 1)));
  }

  @Test
  void throttled_theFirstOneIsTriedAgain_goesWithoutItWhenTheGateOpens() {
    turnstile.throttle(false, Duration.ofSeconds(5)).giveBack(A, 1, TurnResult.UNREAD);
    turnstile.cancel(B).request(A, Lane.DRAIN_RETRY);
    stands(FREE);
    Instant now = turnstile.now();
    stands(new LeaseStanding.Busy("other", Optional.empty(), now.plusSeconds(60), now));

    turnstile.seconds(6).timer();

    assertThat(turnstile.granted()).containsExactly(A);
  }
}
