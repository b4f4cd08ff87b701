package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CLEAN;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.DIRTY;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.RESYNC;
import static io.poolkeeper.pool.PoolFixtures.VERIFY;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.countFailed;
import static io.poolkeeper.pool.PoolFixtures.countUpdated;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitExhausted;
import static io.poolkeeper.pool.PoolFixtures.emitRetrying;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.requeuedAgain;
import static io.poolkeeper.pool.PoolFixtures.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pool does about failures beyond the numbered tests of spec 1. */
class RetryBeyondSpecTest {
  private static final Duration TWENTY = Duration.ofSeconds(20);

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.999})
  void conflict_withoutTimeToCome_isDueAfter2And8And30SecondsGiveOrTakeATenth(double drawn) {
    PoolDriver pool = Call.PUT.underWay().drawing(drawn);

    for (long seconds : List.of(2, 8, 30)) {
      pool.failed(CONFLICT);

      Duration delay = Duration.ofNanos((long) (seconds * 1_000_000_000 * (0.9 + 0.2 * drawn)));
      assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(delay)));
      pool.toWriting("n4=10.0.0.4");
    }
  }

  @Test
  void conflict_freshChangeBesideARetriedOne_isDueAsTheRetriedOneIs() {
    PoolDriver pool = Call.PUT.underWay();
    pool.failed(CONFLICT);
    pool.send(desire(API_2, "n7=10.0.0.7"));

    pool.toWriting("n4=10.0.0.4").failed(CONFLICT);

    assertThat(pool.retries()).containsExactly(2, 1);
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plusSeconds(8)));
  }

  @Test
  void conflict_exhaustedBesideAFreshOne_isDueAsTheFreshOneIs() {
    PoolDriver pool = Call.PUT.underWay();
    for (int i = 0; i < 3; i++) {
      pool.failed(CONFLICT);
      pool.toReading();
    }
    pool.send(desire(API_2, "n7=10.0.0.7"));
    pool.failed(CONFLICT);
    pool.toWriting("n4=10.0.0.4").failed(CONFLICT);

    assertThat(pool.retries()).containsExactly(1);
    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plusSeconds(2)));
  }

  @Test
  void conflict_withoutEarlyWrites_isDueAnIntervalLater() {
    PoolDriver pool =
        new PoolDriver(new PoolLimits(INTERVAL, INTERVAL, true, WINDOW, VERIFY, RESYNC, 3));
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    pool.toReading().failed(CONFLICT);

    assertThat(pool.phase()).isEqualTo(new Phase.Gathering(pool.now().plus(INTERVAL)));
  }

  @Test
  void desire_afterTheParkingsEndBeforeItsTimer_goesAtOnce() {
    PoolDriver pool = Call.GET.underWay();
    Instant until = pool.now().plus(TWENTY);
    pool.failed(throttled(until));

    pool.at(until.plusMillis(5)).send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.state().wakeAt()).contains(until);
    assertThat(pool.send(new PoolEvent.TimerDue()))
        .containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.RETRY)));
  }

  @Test
  void desire_atTheParkingsEndBeforeItsTimer_goesAtOnce() {
    PoolDriver pool = Call.GET.underWay();
    Instant until = pool.now().plus(TWENTY);
    pool.failed(throttled(until));

    pool.at(until).send(desire(WEB_1, "n6=10.0.0.6"));

    assertThat(pool.state().wakeAt()).contains(until);
  }

  @Test
  void failed_mixedBudgetsOfOneAttempt_tellsBothOutcomes() {
    PoolDriver pool = Call.GET.underWay();
    pool.failed(CONFLICT);
    pool.toReading().failed(CONFLICT);
    pool.toReading().failed(CONFLICT);
    pool.send(desire(WEB_1, "n6=10.0.0.6"));
    assertThat(pool.retries()).containsExactly(3, 0);

    assertThat(pool.toReading().failed(CONFLICT))
        .containsExactly(
            PoolFixtures.unread(4),
            emitRetrying(WEB_1, CONFLICT),
            emitExhausted(WEB_1, 3, CONFLICT),
            countFailed(CONFLICT, Duration.ZERO),
            requeuedAgain(CONFLICT, 1));
    assertThat(pool.retries()).containsExactly(1);
  }

  @Test
  void release_whileParkedAndAlone_leavesNothingToDo() {
    PoolDriver pool = Call.GET.underWay();
    pool.failed(throttled(pool.now().plus(TWENTY)));

    assertThat(pool.send(new PoolEvent.Release(WEB))).containsExactly(CLEAN);

    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
    assertThat(pool.state().wakeAt()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void shutdown_ofTheCallItself_isSilent(Call call) {
    PoolDriver pool = call.underWay();

    assertThat(pool.failed(new ArmFailure(ArmFailure.Kind.SHUTDOWN, 0, "", "the program ends")))
        .containsExactly(
            new PoolEffect.ReturnTurn(
                1, call == Call.GET ? TurnResult.UNREAD : TurnResult.UNRESOLVED),
            DIRTY);
    assertThat(pool.state().queue().isEmpty()).isTrue();
  }

  @Test
  void read_asWishedAfterARetriedWrite_isASuccess() {
    PoolDriver pool = Call.PUT.underWay();
    pool.failed(new ArmFailure(ArmFailure.Kind.UNRESOLVED, 0, "", "no answer"));

    assertThat(pool.toReading().read("n5=10.0.0.5"))
        .containsExactly(
            PoolFixtures.unchanged(2),
            emitUpdated(WEB_1),
            countUpdated(Duration.ZERO),
            PoolFixtures.LOOK,
            CLEAN);
  }

  @Test
  @DisplayName(
      "spec 1 updater test 22: without retries, a change is dropped after its first failure")
  void maxRetries_none_dropsAfterTheFirstFailure() {
    PoolDriver pool =
        new PoolDriver(new PoolLimits(INTERVAL, MIN_INTERVAL, true, WINDOW, VERIFY, RESYNC, 0));
    pool.send(desire(WEB_1, "n5=10.0.0.5"));

    assertThat(pool.toReading().failed(CONFLICT))
        .containsExactly(
            PoolFixtures.unread(1),
            emitExhausted(WEB_1, 0, CONFLICT),
            countFailed(CONFLICT, Duration.ZERO),
            DIRTY);
    assertThat(pool.state().queue().isEmpty()).isTrue();
    assertThat(pool.phase()).as("its own repair").isInstanceOf(Phase.Failed.class);
    assertThat(pool.fire()).containsExactly(new PoolEffect.RequestTurn(Priority.of(Lane.REPAIR)));
  }

  @Test
  @DisplayName("spec 1 updater test 22: without retries, not even a Retry-After parks a change")
  void maxRetries_noneAndThrottled_dropsTheChange() {
    PoolDriver pool =
        new PoolDriver(new PoolLimits(INTERVAL, MIN_INTERVAL, true, WINDOW, VERIFY, RESYNC, 0));
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    Instant until = pool.toWriting("n4=10.0.0.4").now().plus(TWENTY);
    ArmFailure slow = throttled(until);

    assertThat(pool.failed(slow))
        .contains(emitExhausted(WEB_1, 0, slow))
        .noneMatch(PoolEffect.Requeue.class::isInstance);
    assertThat(pool.phase()).isEqualTo(new Phase.Failed(until));
  }

  @Test
  void repair_throttled_comesNotBeforeArmTakesCallsAgain() {
    PoolDriver pool = Call.GET.underWay();
    pool.failed(FORBIDDEN);
    Instant until = pool.toReading().now().plus(Duration.ofMinutes(10));

    assertThat(pool.failed(throttled(until))).noneMatch(PoolEffect.Requeue.class::isInstance);

    assertThat(pool.phase()).isEqualTo(new Phase.Failed(until));
  }

  @Test
  void repair_afterAFailedPut_keepsTheSpacingFromItsEnd() {
    PoolDriver pool =
        new PoolDriver(new PoolLimits(INTERVAL, INTERVAL, true, WINDOW, VERIFY, RESYNC, 3));
    pool.send(desire(WEB_1, "n5=10.0.0.5"));
    pool.toWriting("n4=10.0.0.4").after(Duration.ofSeconds(1));

    pool.failed(FORBIDDEN);

    assertThat(pool.phase()).isEqualTo(new Phase.Failed(pool.now().plus(INTERVAL)));
  }

  @Test
  void repair_afterAFailedPutWithShortSpacing_comesByItsOwnTimer() {
    PoolDriver pool = Call.PUT.underWay();

    pool.failed(FORBIDDEN);

    assertThat(pool.phase()).isEqualTo(new Phase.Failed(pool.now().plusMillis(11_250)));
  }
}
