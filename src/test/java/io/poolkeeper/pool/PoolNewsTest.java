package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolDriver.changed;
import static io.poolkeeper.pool.PoolDriver.refused;
import static io.poolkeeper.pool.PoolDriver.settled;
import static io.poolkeeper.pool.PoolFixtures.RESET;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which retries are counted under which reason, what is news, and how old a change is. */
class PoolNewsTest {
  @Test
  void attempt_ofAFreshChange_isNoRetry() {
    changed().reading().out("read").read(PoolFixtures.updating("n4")).reading().out("read");
    changed().reading().throttled(30).api("n7").reading().out("read");
  }

  @Test
  void attempt_afterAFailure_isARetryForTheLastReason_onceItIsMade() {
    PoolDriver pool = changed().reading().failed(412).lacks("retry").api("n7");

    pool.timer().out("permit RETRY").granted().out("retry PRECONDITION; read");
    refused().reading().out("retry TERMINAL; read").failed(RESET).reading().has("retry TRANSPORT");
  }

  @Test
  void requeue_firstSameAndOtherClass_isNewsButForTheSame() {
    PoolDriver pool = changed().reading().failed(412).has("requeue 1");

    pool.copy().writing("n4").written().web("n6").reading().failed(412).has("requeue 1");
    pool.reading().failed(412).has("requeue 1 again").reading().failed(409).has("requeue 1");
    pool.reading().failed(409).has("count failed");
  }

  @Test
  void pendingSince_queuedInAttemptAndRequeued_isWhenTheOldestChangeCame() {
    PoolDriver pool = settled("n4").after(1);
    assertThat(pool.status().activity().pendingSince()).isEmpty();
    var came = pool.now();

    assertThat(pool.web("n5").status().activity().pendingSince()).contains(came);
    assertThat(pool.reading().status().activity().pendingSince()).contains(came);
    assertThat(pool.after(1).web("n6").status().activity().pendingSince()).contains(came);
    assertThat(pool.failed(412).status().activity().pendingSince()).contains(came);
    assertThat(pool.writing("n4").status().activity().pendingSince()).contains(came);
    assertThat(pool.written().status().activity().pendingSince()).isEmpty();
    assertThat(refused().status().activity().pendingSince()).isEmpty();
  }

  @Test
  void status_phases_areKnownByName() {
    changed().reading().throttled(60).is("Parked", 1).timer().is("Waiting", 1);
  }
}
