package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.countFailed;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.failure;
import static io.poolkeeper.pool.PoolFixtures.requeued;
import static io.poolkeeper.pool.PoolFixtures.requeuedAgain;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.RetryReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which retries are counted under which reason, what is news, and how old a change is. */
class PoolNewsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void attempt_ofAFreshChange_isNoRetry() {
    assertThat(PoolCoreFailureTest.reading().effects()).containsExactly(PoolFixtures.READ);
  }

  @Test
  void attempt_afterAConflict_isARetryForThatReason() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.failed(CONFLICT);
    assertThat(pool.effects()).as("planned is not made").noneMatch(PoolNewsTest::isRetry);
    assertThat(pool.fire()).as("nor is asked for").noneMatch(PoolNewsTest::isRetry);

    assertThat(pool.send(PoolFixtures.granted(2)))
        .containsExactly(new PoolEffect.Retry(RetryReason.PRECONDITION), PoolFixtures.READ);
  }

  @Test
  void attempt_withAnEarlyChangeToo_isARetry() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.failed(CONFLICT);
    pool.send(desire(API_2, "n7=10.0.0.7"));

    assertThat(pool.toReading().effects())
        .containsExactly(new PoolEffect.Retry(RetryReason.PRECONDITION), PoolFixtures.READ);
  }

  @Test
  void attempt_withAFreshChangeThatIsNotEarly_isNoRetry() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.failed(PoolFixtures.throttled(pool.now().plus(INTERVAL)));
    pool.send(desire(API_2, "n7=10.0.0.7"));

    assertThat(pool.toReading().effects()).containsExactly(PoolFixtures.READ);
  }

  @Test
  void attempt_secondOfAFreshChangeBecauseOthersWrite_isNoRetry() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.send(PoolFixtures.read(PoolFixtures.updating("n4=10.0.0.4")));

    assertThat(pool.toReading().effects()).containsExactly(PoolFixtures.READ);
  }

  @Test
  void repair_afterAFailure_isARetryForThatReason() {
    assertThat(PoolCoreFailureTest.repairing().effects())
        .containsExactly(new PoolEffect.Retry(RetryReason.TERMINAL), PoolFixtures.READ);
  }

  @Test
  void repair_afterAnotherFailure_isForTheLastOne() {
    PoolDriver pool = PoolCoreFailureTest.repairing();
    pool.failed(new ArmFailure(ArmFailure.Kind.TRANSPORT, 0, "", "refused"));

    assertThat(pool.toReading().effects()).contains(new PoolEffect.Retry(RetryReason.TRANSPORT));
  }

  @Test
  void repair_thatAnObservationAskedFor_isForDrift() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.after(SECOND).observed(pool.now(), "n4=10.0.0.4", "stale=10.0.0.9");

    assertThat(pool.toReading().effects())
        .containsExactly(new PoolEffect.Retry(RetryReason.DRIFT), PoolFixtures.READ);
  }

  @Test
  void requeue_firstSameAndOtherClass_isNewsButForTheSame() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    ArmFailure other = failure(409, "Conflict");

    assertThat(pool.failed(CONFLICT)).contains(requeued(CONFLICT, 1));
    assertThat(pool.toReading().failed(CONFLICT)).contains(requeuedAgain(CONFLICT, 1));
    assertThat(pool.toReading().failed(other)).contains(requeued(other, 1));
    assertThat(pool.toReading().failed(other))
        .as("giving up is news, too")
        .contains(countFailed(other, Duration.ZERO));
  }

  @Test
  void requeue_afterASuccess_isNewsAgain() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.failed(CONFLICT);
    pool.toReading().read("n4=10.0.0.4");
    pool.written();
    pool.send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.toReading().failed(CONFLICT)).contains(requeued(CONFLICT, 1));
  }

  @Test
  void repairs_failingOnAndOn_areToldToBeSlowestOnce() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    List<PoolEffect> slowest = new ArrayList<>();
    for (int failures = 1; failures <= 10; failures++) {
      pool.failed(FORBIDDEN);
      pool.effects().stream()
          .filter(PoolEffect.RepairsSlowest.class::isInstance)
          .forEach(slowest::add);
      pool.toReading();
    }

    // 15 s, 30 s, 60 s, 120 s, 240 s, and then 300 s for ever.
    assertThat(slowest).containsExactly(new PoolEffect.RepairsSlowest(6));
  }

  @Test
  void pendingSince_noChange_isEmpty() {
    assertThat(status(PoolDriver.settled(WEB_1, "n4=10.0.0.4")).pendingSince()).isEmpty();
  }

  @Test
  void pendingSince_queuedInAttemptAndRequeued_isWhenTheOldestChangeCame() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4").after(SECOND);
    Instant came = pool.now();
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    assertThat(status(pool).pendingSince()).contains(came);
    assertThat(status(pool.toReading()).pendingSince()).contains(came);

    pool.after(SECOND).send(desire(WEB_1, "n6=10.0.0.6"));
    assertThat(status(pool).pendingSince()).as("a younger one behind it").contains(came);

    pool.failed(CONFLICT);
    assertThat(status(pool).pendingSince()).contains(came);

    pool.toReading().read("n4=10.0.0.4");
    assertThat(status(pool).pendingSince()).contains(came);
    pool.written();
    assertThat(status(pool).pendingSince()).isEmpty();
  }

  @Test
  void pendingSince_givenUp_isEmpty() {
    assertThat(status(PoolCoreFailureTest.failed()).pendingSince()).isEmpty();
  }

  @Test
  void status_phases_areKnownByName() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.failed(PoolFixtures.throttled(pool.now().plus(Duration.ofMinutes(1))));
    assertThat(status(pool).parked()).isTrue();
    assertThat(status(pool).waiting()).isFalse();

    pool.fire();

    assertThat(status(pool).parked()).isFalse();
    assertThat(status(pool).waiting()).isTrue();
    assertThat(pool.now()).isAfter(T0);
  }

  private static PoolStatus status(PoolDriver pool) {
    return PoolStatus.of(POOL, pool.state());
  }

  private static boolean isRetry(PoolEffect effect) {
    return effect instanceof PoolEffect.Retry;
  }
}
