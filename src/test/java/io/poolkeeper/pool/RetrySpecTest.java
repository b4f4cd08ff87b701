package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.DIRTY;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.NOT_FOUND;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.countFailed;
import static io.poolkeeper.pool.PoolFixtures.countUpdated;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.emitExhausted;
import static io.poolkeeper.pool.PoolFixtures.emitFailed;
import static io.poolkeeper.pool.PoolFixtures.emitRetrying;
import static io.poolkeeper.pool.PoolFixtures.emitUpdated;
import static io.poolkeeper.pool.PoolFixtures.failure;
import static io.poolkeeper.pool.PoolFixtures.requeued;
import static io.poolkeeper.pool.PoolFixtures.requeuedAgain;
import static io.poolkeeper.pool.PoolFixtures.web;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The numbered tests of spec 1 that one pool's core can show; those about parking are in {@link
 * RetryParkingSpecTest}, numbers 16 and 17 in {@link RetryRaceTest}, number 22 is with the
 * configuration.
 */
class RetrySpecTest {
  @ParameterizedTest
  @ValueSource(ints = {409, 412})
  @DisplayName("spec 1 updater test 6: a conflict is retried from a fresh GET")
  void conflict_atPut_isRetriedFromAFreshGet(int status) {
    PoolDriver pool = Call.PUT.underWay();
    ArmFailure conflict = failure(status, "Conflict");

    assertThat(pool.failed(conflict))
        .containsExactly(
            PoolFixtures.contested(1), emitRetrying(WEB_1, conflict), requeued(conflict, 1), DIRTY);

    assertThat(pool.toReading().effects())
        .containsExactly(new PoolEffect.Retry(conflict.reason()), PoolFixtures.READ);
    assertThat(pool.read("n4=10.0.0.4", "n6=10.0.0.6"))
        .containsExactly(pool.write("-10.0.0.4", "-10.0.0.6", "+n5=10.0.0.5"));
    assertThat(pool.written()).contains(emitUpdated(WEB_1));
  }

  @Test
  @DisplayName("spec 1 updater test 9: each change has a counter of its own, all consume one")
  void failed_mergedWithAFreshChange_eachConsumesOne() {
    PoolDriver pool = Call.GET.underWay();
    pool.failed(CONFLICT);
    pool.send(desire(API_2, "n7=10.0.0.7"));

    assertThat(pool.toReading().failed(CONFLICT))
        .containsExactly(
            PoolFixtures.unread(2),
            emitRetrying(WEB_1, CONFLICT),
            emitRetrying(API_2, CONFLICT),
            requeuedAgain(CONFLICT, 2));

    assertThat(pool.retries()).containsExactly(2, 1);
  }

  @Test
  @DisplayName("spec 1 updater test 10: the exhausted is reported, the fresh is tried again")
  void failed_mixedBudgetsInOneGroup_dropsTheExhaustedOnly() {
    PoolDriver pool = Call.GET.underWay();
    pool.failed(CONFLICT);
    pool.toReading().failed(CONFLICT);
    pool.toReading().failed(CONFLICT);
    pool.send(desire(API_2, "n7=10.0.0.7"));
    assertThat(pool.retries()).as("both are of the next group").containsExactly(3, 0);

    assertThat(pool.toWriting("n4=10.0.0.4").failed(CONFLICT))
        .containsExactly(
            PoolFixtures.contested(4),
            emitRetrying(API_2, CONFLICT),
            emitExhausted(WEB_1, 3, CONFLICT),
            countFailed(CONFLICT, Duration.ZERO),
            requeuedAgain(CONFLICT, 1));
    assertThat(pool.state().queue().operations())
        .extracting(UpdateQueue.Operation::service, UpdateQueue.Operation::retryCount)
        .containsExactly(tuple(API, 1));

    pool.toWriting("n4=10.0.0.4");
    assertThat(pool.effects())
        .as("the level of the dropped one is not dropped")
        .containsExactly(pool.write("-10.0.0.4", "+n5=10.0.0.5", "+n7=10.0.0.7"));
    assertThat(pool.written()).contains(emitUpdated(API_2)).doesNotContain(emitUpdated(WEB_1));
  }

  @Test
  @DisplayName("spec 1 updater test 11: exhaustion is told with guidance and leaves nothing queued")
  void failed_fourTimes_isToldThreeTimesAsRetryingAndThenAsFailed() {
    PoolDriver pool = Call.PUT.underWay();
    assertThat(pool.failed(CONFLICT)).contains(emitRetrying(WEB_1, CONFLICT));
    for (int i = 0; i < 2; i++) {
      assertThat(pool.toWriting("n4=10.0.0.4").failed(CONFLICT))
          .contains(emitRetrying(WEB_1, CONFLICT))
          .noneMatch(PoolEffect.Finish.class::isInstance);
    }

    assertThat(pool.toWriting("n4=10.0.0.4").failed(CONFLICT))
        .containsExactly(
            PoolFixtures.contested(4),
            emitExhausted(WEB_1, 3, CONFLICT),
            countFailed(CONFLICT, Duration.ZERO));

    assertThat(pool.state().queue().isEmpty()).isTrue();
    assertThat(pool.phase()).isInstanceOf(Phase.Failed.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 502, 503, 504})
  @DisplayName("spec 1 updater test 12: what the call has repeated itself is not retried again")
  void failed_statusOfTheCallsOwnRetries_isTerminal(int status) {
    ArmFailure failure = failure(status, "ServerError");
    for (Call call : Call.values()) {
      PoolDriver pool = call.underWay();
      TurnResult result = failure.turnResult(call == Call.PUT);

      assertThat(pool.failed(failure))
          .containsExactly(
              new PoolEffect.ReturnTurn(1, result),
              emitFailed(WEB_1, failure),
              countFailed(failure, Duration.ZERO),
              DIRTY);
      assertThat(pool.state().queue().isEmpty()).isTrue();
      assertThat(pool.phase()).isInstanceOf(Phase.Failed.class);
    }
  }

  static Stream<ArmFailure> terminal() {
    return Stream.of(
        FORBIDDEN,
        failure(400, "InvalidRequestFormat"),
        new ArmFailure(ArmFailure.Kind.UNTRUSTED, 0, "", "no"),
        new ArmFailure(ArmFailure.Kind.AUTHENTICATION, 0, "", "no"),
        new ArmFailure(ArmFailure.Kind.MALFORMED, 200, "", "no"),
        new ArmFailure(ArmFailure.Kind.OPERATION, 0, "InternalServerError", "no"),
        new ArmFailure(ArmFailure.Kind.OTHER, 0, "", "no"));
  }

  @ParameterizedTest
  @MethodSource("terminal")
  @DisplayName("spec 1 updater test 13: any other error is not retried")
  void failed_anyOtherError_isTerminal(ArmFailure failure) {
    PoolDriver pool = Call.GET.underWay();

    assertThat(pool.failed(failure))
        .containsExactly(
            PoolFixtures.unread(1),
            emitFailed(WEB_1, failure),
            countFailed(failure, Duration.ZERO),
            DIRTY);
    assertThat(pool.state().queue().isEmpty()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 14: a pool that is not there is dropped without a word")
  void failed_notFound_isQuiet(Call call) {
    PoolDriver pool = call.underWay();

    assertThat(pool.failed(NOT_FOUND))
        .containsExactly(call.refused(1), new PoolEffect.Report(PoolReport.Sign.LISTING_WANTED));
    assertThat(pool.state().queue().isEmpty()).isTrue();
    assertThat(pool.phase()).isEqualTo(new Phase.Idle());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 15: what is stale before the requeue is dropped without a word")
  void failed_serviceReleasedOrMovedMeanwhile_isQuiet(Call call) {
    for (ArmFailure failure : List.of(CONFLICT, FORBIDDEN)) {
      PoolDriver gone = call.underWay();
      gone.send(new PoolEvent.Release(WEB));
      assertThat(gone.failed(failure))
          .containsExactly(new PoolEffect.ReturnTurn(1, failure.turnResult(call == Call.PUT)));
      assertThat(gone.state().queue().isEmpty()).isTrue();

      PoolDriver moved = call.underWay();
      moved.send(new PoolEvent.Release(WEB));
      moved.send(desire(web(7), "n4=10.0.0.4"));
      assertThat(moved.failed(failure)).noneMatch(PoolEffect.Emit.class::isInstance);
      assertThat(moved.retries()).as("no retry is spent").doesNotContain(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 15: a Service that moved is written in its new pool")
  void failed_serviceMovedMeanwhile_isWrittenWhereItIsNow(Call call) {
    PoolDriver old = call.underWay();
    PoolDriver now = new PoolDriver(PoolFixtures.LIMITS).at(old.now());
    old.send(new PoolEvent.Release(WEB));
    now.send(desire(web(7), "n5=10.0.0.5"));

    assertThat(old.failed(CONFLICT)).noneMatch(PoolEffect.Emit.class::isInstance);

    assertThat(old.state().wakeAt()).isEmpty();
    assertThat(now.toWriting("n4=10.0.0.4").effects())
        .containsExactly(now.write("-10.0.0.4", "+n5=10.0.0.5"));
    assertThat(now.written()).contains(emitUpdated(web(7)));
  }

  @Test
  @DisplayName("spec 1 updater test 19: each Service of a pool is told, once")
  void failed_severalChangesOfSeveralServices_tellsEachServiceOnce() {
    PoolDriver pool = Call.GET.underWay();
    pool.failed(CONFLICT);
    pool.send(desire(WEB_1, "n6=10.0.0.6"));
    pool.send(desire(API_2, "n7=10.0.0.7"));
    assertThat(pool.retries()).containsExactly(1, 0, 0);

    assertThat(pool.toReading().failed(CONFLICT))
        .containsExactly(
            PoolFixtures.unread(2),
            emitRetrying(WEB_1, CONFLICT),
            emitRetrying(API_2, CONFLICT),
            requeuedAgain(CONFLICT, 3));
    assertThat(pool.toReading().failed(FORBIDDEN))
        .containsExactly(
            PoolFixtures.unread(3),
            emitFailed(WEB_1, FORBIDDEN),
            emitFailed(API_2, FORBIDDEN),
            countFailed(FORBIDDEN, Duration.ZERO));
  }

  @Test
  @DisplayName("spec 1 updater test 23: retried, then written, is counted as one success")
  void written_afterRetries_isCountedOnce() {
    PoolDriver pool = Call.PUT.underWay();
    List<PoolEffect> all = new ArrayList<>(pool.failed(CONFLICT));
    all.addAll(pool.toWriting("n4=10.0.0.4").failed(CONFLICT));
    all.addAll(pool.toWriting("n4=10.0.0.4").written());

    assertThat(all)
        .filteredOn(PoolEffect.Finish.class::isInstance)
        .containsExactly(countUpdated(Duration.ZERO));
  }
}
