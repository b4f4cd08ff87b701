package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CLEAN;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.countFailed;
import static io.poolkeeper.pool.PoolFixtures.countUpdated;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitFailed;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.failure;
import static io.poolkeeper.pool.PoolFixtures.updating;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a pool that is not as it should be is put right without anybody's doing. */
class PoolCoreRepairTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final ArmFailure MALFORMED = failure(400, "InvalidRequestFormat");

  @Test
  void failed_byItsOwnTimer_isReadAndWrittenAgain() {
    PoolDriver pool = PoolCoreFailureTest.repairing();

    pool.read("n4=10.0.0.4");

    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5"));
    assertThat(pool.after(SECOND).written())
        .containsExactly(
            PoolFixtures.well(2),
            emitUpdated(WEB_1),
            countUpdated(SECOND),
            PoolFixtures.LOOK,
            CLEAN);
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(pool.state().failing()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 7500 15000 30000 60000 120000 150000 150000",
    "0.5, 11250 22500 45000 90000 180000 225000 225000",
    "0.999, 14992 29985 59970 119940 239880 299850 299850"
  })
  void failed_againAndAgain_waitsTwiceAsLongUpToFiveMinutesWithEqualJitter(
      double drawn, String waits) {
    PoolDriver pool = PoolCoreFailureTest.reading().drawing(drawn);
    List<String> waited = new ArrayList<>();

    for (int i = 0; i < 7; i++) {
      pool.failed(FORBIDDEN);
      Instant repair = pool.state().wakeAt().orElseThrow();
      waited.add(Long.toString(Duration.between(pool.now(), repair).toMillis()));
      pool.toReading();
    }

    assertThat(waited).containsExactly(waits.split(" "));
  }

  /** The failure stays one that is not retried; only the repair waits for as long as ARM asked. */
  @ParameterizedTest
  @CsvSource({"5, 11250", "60, 60000", "900, 900000"})
  void failed_serverErrorWithRetryAfter_isNotRepairedSooner(int asked, long waited) {
    PoolDriver pool = PoolCoreFailureTest.reading();
    Instant until = pool.now().plusSeconds(asked);
    ArmFailure unavailable =
        new ArmFailure(ArmFailure.Kind.RESPONSE, 503, "ServerBusy", "no", Optional.of(until));

    assertThat(pool.failed(unavailable)).contains(emitFailed(WEB_1, unavailable));

    assertThat(pool.phase()).isEqualTo(new Phase.Failed(pool.now().plusMillis(waited)));
  }

  @Test
  void failed_afterASuccess_waitsAsLittleAsTheFirstTime() {
    PoolDriver pool = PoolCoreFailureTest.repairing();
    pool.failed(FORBIDDEN);
    pool.toWriting("n4=10.0.0.4").written();

    pool.send(desire(WEB_1, "n6=10.0.0.6"));
    pool.toReading().failed(FORBIDDEN);

    assertThat(pool.phase()).isEqualTo(new Phase.Failed(pool.now().plusMillis(11_250)));
  }

  @Test
  void observed_failedPoolStillWrong_isLeftToItsOwnTimer() {
    PoolDriver pool = PoolCoreFailureTest.failed();
    Phase before = pool.phase();

    assertThat(pool.observed(pool.now(), "n4=10.0.0.4")).isEmpty();

    assertThat(pool.phase()).isEqualTo(before);
    assertThat(pool.state().queue().repair()).isFalse();
  }

  @Test
  void observed_failedPoolIsRightAfterAll_turnsClean() {
    PoolDriver pool = PoolCoreFailureTest.failed();

    assertThat(pool.observed(pool.now(), "n5=10.0.0.5")).containsExactly(CLEAN);
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void repair_poolIsRightWhenRead_turnsCleanWithoutEvent() {
    assertThat(PoolCoreFailureTest.repairing().read("n5=10.0.0.5"))
        .containsExactly(PoolFixtures.unchanged(2), CLEAN);
  }

  @Test
  void repair_failsTheSameWay_tellsNobody() {
    PoolDriver pool = PoolCoreFailureTest.repairing();

    ArmFailure same = new ArmFailure(FORBIDDEN.kind(), 403, FORBIDDEN.code(), "other words");

    assertThat(pool.failed(same))
        .containsExactly(
            PoolFixtures.unread(2), new PoolEffect.RepairFailed(same, Duration.ZERO, false));
    assertThat(pool.phase()).isEqualTo(new Phase.Failed(pool.now().plusMillis(22_500)));
  }

  @Test
  void repair_failsInAnotherWay_tellsOnce() {
    PoolDriver pool = PoolCoreFailureTest.repairing();

    assertThat(pool.failed(MALFORMED))
        .containsExactly(
            PoolFixtures.unread(2),
            emitFailed(WEB_1, MALFORMED),
            countFailed(MALFORMED, Duration.ZERO));
    pool.toReading();
    assertThat(pool.failed(MALFORMED))
        .containsExactly(
            PoolFixtures.unread(3), new PoolEffect.RepairFailed(MALFORMED, Duration.ZERO, false));
  }

  @Test
  void repair_failsInAWayThatMayPass_isToldOnceAsRetryingAndNotCounted() {
    PoolDriver pool = PoolCoreFailureTest.repairing();

    assertThat(pool.failed(PoolFixtures.CONFLICT))
        .containsExactly(
            PoolFixtures.unread(2),
            PoolFixtures.emitRetrying(WEB_1, PoolFixtures.CONFLICT),
            new PoolEffect.RepairFailed(PoolFixtures.CONFLICT, Duration.ZERO, true));
    assertThat(pool.toReading().failed(PoolFixtures.CONFLICT))
        .containsExactly(
            PoolFixtures.unread(3),
            new PoolEffect.RepairFailed(PoolFixtures.CONFLICT, Duration.ZERO, false));
  }

  @Test
  void repair_unasked_writesWhatDriftedAndTellsAllServices() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(API_2, "n4=10.0.0.4"));
    pool.after(SECOND).observed(pool.now(), "n4=10.0.0.4", "stale=10.0.0.9");
    pool.toWriting("n4=10.0.0.4", "stale=10.0.0.9");

    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.9"));
    assertThat(pool.written())
        .containsExactly(
            PoolFixtures.well(1),
            emitUpdated(API_2),
            emitUpdated(WEB_1),
            countUpdated(Duration.ZERO),
            PoolFixtures.LOOK);
  }

  @Test
  void observed_listingOlderThanTheLastAttempt_isIgnored() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.read("n4=10.0.0.4");
    pool.after(SECOND).written();
    Instant before = pool.now().minusNanos(1);
    PoolState settled = pool.state();

    assertThat(pool.after(SECOND).observed(before, "n4=10.0.0.4")).isEmpty();

    assertThat(pool.state()).isEqualTo(settled);
  }

  @Test
  void observed_listingBegunWhenTheLastAttemptEnded_isBelieved() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.read("n4=10.0.0.4");
    pool.after(SECOND).written();

    pool.observed(pool.now(), "n4=10.0.0.4");

    assertThat(pool.phase()).isInstanceOf(Phase.Gathering.class);
  }

  @Test
  void observed_whileAnythingIsQueuedOrInFlight_changesNothing() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    assertUnmoved(pool);
    pool.fire();
    assertUnmoved(pool);
    pool.send(PoolFixtures.granted(1));
    assertUnmoved(pool);
    pool.read("n4=10.0.0.4");
    assertUnmoved(pool);
  }

  private static void assertUnmoved(PoolDriver pool) {
    PoolState before = pool.state();
    assertThat(pool.observed(pool.now(), "other=10.0.0.99")).isEmpty();
    assertThat(pool.phase()).isEqualTo(before.phase());
    assertThat(pool.state().queue()).isEqualTo(before.queue());
    assertThat(pool.state().drain()).isEqualTo(before.drain());
  }

  @Test
  void observed_noServiceYet_changesNothing() {
    PoolDriver pool = new PoolDriver(PoolFixtures.LIMITS);

    assertThat(pool.observed(T0, "n4=10.0.0.4")).isEmpty();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @Test
  void read_poolIsUpdating_givesTheTurnBackAndLooksAgainInASecond() {
    PoolDriver pool = PoolCoreFailureTest.reading();

    assertThat(pool.send(PoolFixtures.read(updating("n4=10.0.0.4"))))
        .containsExactly(PoolFixtures.othersWrite(1));
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(SECOND)));
    pool.toWriting("n4=10.0.0.4");

    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5"));
    assertThat(pool.written())
        .containsExactly(
            PoolFixtures.well(2),
            emitUpdated(WEB_1),
            countUpdated(Duration.ZERO),
            PoolFixtures.LOOK);
  }

  @Test
  void read_poolIsUpdating_putsTheOldOperationInFrontOfFreshOnes() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.send(desire(API_2, "n6=10.0.0.6"));

    pool.send(PoolFixtures.read(updating("n4=10.0.0.4")));

    assertThat(pool.state().queue().operations())
        .extracting(UpdateQueue.Operation::service)
        .containsExactly(WEB_1.service(), API_2.service());
  }

  @Test
  void read_poolIsUpdatingDuringARepair_repairsAfterwards() {
    PoolDriver pool = PoolCoreFailureTest.repairing();
    pool.send(PoolFixtures.read(updating("n4=10.0.0.4")));

    pool.toWriting("n4=10.0.0.4");

    assertThat(pool.effects()).containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5"));
  }

  @Test
  void read_poolIsUpdatingDuringARepair_isStillARepairWhenTheOtherServiceGoes() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(API_2, "n4=10.0.0.4"));
    pool.after(SECOND).observed(pool.now(), "n4=10.0.0.4", "stale=10.0.0.9");
    pool.toReading().send(PoolFixtures.read(updating("n4=10.0.0.4")));

    pool.send(new PoolEvent.Release(API_2.service()));

    assertThat(pool.phase()).isInstanceOf(Phase.Gathering.class);
  }

  @Test
  void read_poolIsUpdatingForAChange_isNoRepair() {
    PoolDriver pool = PoolCoreFailureTest.reading();
    pool.send(PoolFixtures.read(updating("n4=10.0.0.4")));

    assertThat(pool.state().queue().repair()).isFalse();
  }

  @Test
  void timer_ofAFailedPool_keepsItsPlaceWhenAnotherServiceGoes() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(API_2, "n5=10.0.0.5"));
    pool.toReading().failed(FORBIDDEN);
    assertThat(pool.fire()).containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.REPAIR)));

    assertThat(pool.send(new PoolEvent.Release(API_2.service()))).isEmpty();

    assertThat(pool.phase()).isInstanceOf(Phase.Waiting.class);
  }

  @Test
  void timer_ofAChange_isNoRepair() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4");
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.fire();

    assertThat(pool.state().queue().repair()).isFalse();
  }

  @Test
  void look_afterAChangeThatNeededNoWrite_isAskedFor() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4").after(SECOND);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.toReading().read("n5=10.0.0.5"))
        .containsExactly(PoolFixtures.unchanged(1), PoolFixtures.LOOK);
  }

  @Test
  void look_afterAFailure_isNotAskedFor() {
    PoolDriver pool = PoolDriver.settled(WEB_1, "n4=10.0.0.4").after(SECOND);
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.toWriting("n4=10.0.0.4").failed(FORBIDDEN)).doesNotContain(PoolFixtures.LOOK);
  }
}
