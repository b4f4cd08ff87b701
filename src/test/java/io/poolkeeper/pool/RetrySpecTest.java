package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.CONFLICT;
import static io.poolkeeper.pool.PoolFixtures.FORBIDDEN;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.web;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  @CsvSource({"409, CONFLICT", "412, PRECONDITION"})
  @DisplayName("spec 1 updater test 6: a conflict is retried from a fresh GET")
  void conflict_atPut_isRetriedFromAFreshGet(int status, String reason) {
    PoolDriver pool = Call.PUT.underWay().failed(status);
    pool.out("return CONFLICT; web retrying; requeue 1; failing");

    pool.reading().out("retry " + reason + "; read").read("n4 n6").out("put -4 -6 +n5");
    pool.written().has("web updated");
  }

  @Test
  @DisplayName("spec 1 updater test 9: each change has a counter of its own, all consume one")
  void failed_mergedWithAFreshChange_eachConsumesOne() {
    PoolDriver pool = Call.GET.underWay().failed(412).api("n7").reading().failed(412);

    pool.out("return UNREAD; web retrying; api retrying; requeue 2 again").is("Gathering", 2, 1);
  }

  @Test
  @DisplayName("spec 1 updater test 10: the exhausted is reported, the fresh is tried again")
  void failed_mixedBudgetsInOneGroup_dropsTheExhaustedOnly() {
    PoolDriver pool = Call.GET.underWay().failed(412).reading().failed(412).reading().failed(412);
    pool.api("n7").is("Gathering", 3, 0).writing("n4").failed(412);

    pool.out("return CONFLICT; api retrying; web exhausted 3; count failed; requeue 1 again");
    pool.is("Gathering", 1).copy().release(API).is("Failed");
    // The level of the dropped one is not dropped.
    pool.writing("n4").out("put -4 +n5 +n7").written().has("api updated").lacks("web");
  }

  @Test
  @DisplayName("spec 1 updater test 11: exhaustion is told with guidance and leaves nothing queued")
  void failed_fourTimes_isToldThreeTimesAsRetryingAndThenAsFailed() {
    PoolDriver pool = Call.PUT.underWay();
    for (int i = 0; i < 3; i++) {
      pool.failed(412).has("web retrying").lacks("count").writing("n4");
    }

    pool.failed(412).out("return CONFLICT; web exhausted 3; count failed").is("Failed");
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 502, 503, 504})
  @DisplayName("spec 1 updater test 12: what the call has repeated itself is not retried again")
  void failed_statusOfTheCallsOwnRetries_isTerminal(int status) {
    for (Call call : Call.values()) {
      PoolDriver pool = call.underWay().failed(status);
      var result = PoolFixtures.failure(status, "").permitResult(call == Call.PUT);

      pool.out("return " + result + "; web failed; count failed; failing").is("Failed");
    }
  }

  static List<ArmFailure> terminal() {
    return List.of(
        FORBIDDEN,
        PoolFixtures.failure(400, "InvalidRequestFormat"),
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
    for (Call call : Call.values()) {
      PoolDriver pool = call.underWay().failed(failure);
      var result = failure.permitResult(call == Call.PUT);

      pool.out("return " + result + "; web failed; count failed; failing").is("Failed");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 14: a pool that is not there is dropped without a word")
  void failed_notFound_isQuiet(Call call) {
    PoolDriver pool = call.underWay().failed(404).has(call.refused(), "listing");
    pool.lacks("web", "count", "requeue");
    if (call == Call.PUT) {
      pool = pool.writing("n4").failed(404).out("return FAILED; listing; dropped");
    }

    assertThat(pool.is("Idle").status().lastError()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 15: what is stale before the requeue is dropped without a word")
  void failed_serviceReleasedOrMovedMeanwhile_isQuiet(Call call) {
    for (ArmFailure failure : List.of(CONFLICT, FORBIDDEN)) {
      PoolDriver gone = call.underWay().release(WEB);
      PoolDriver moved = gone.copy().send(desire(web(7), "n4")).failed(failure);

      gone.failed(failure).out("return " + failure.permitResult(call == Call.PUT)).is("Idle");
      assertThat(moved.lacks("web", "count").status().activity().retries())
          .as("none is spent")
          .doesNotContain(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("spec 1 updater test 15: a Service that moved is written in its new pool")
  void failed_serviceMovedMeanwhile_isWrittenWhereItIsNow(Call call) {
    PoolDriver now = new PoolDriver(PoolFixtures.LIMITS).send(desire(web(7), "n5"));

    call.underWay().release(WEB).failed(412).lacks("web").rests();

    now.writing("n4").out("put -4 +n5").written().has("web updated");
  }

  @Test
  @DisplayName("spec 1 updater test 19: each Service of a pool is told, once")
  void failed_severalChangesOfSeveralServices_tellsEachServiceOnce() {
    PoolDriver pool = Call.GET.underWay().failed(412).web("n6").api("n7");

    pool.is("Gathering", 1, 0, 0).reading().failed(412);
    pool.out("return UNREAD; web retrying; api retrying; requeue 3 again");
    pool.reading().failed(403).out("return UNREAD; web failed; api failed; count failed");
  }

  @Test
  @DisplayName("spec 1 updater test 23: retried, then written, is counted as one success")
  void written_afterRetries_isCountedOnce() {
    PoolDriver pool = Call.PUT.underWay();
    List<String> all = new ArrayList<>(pool.failed(412).texts());
    all.addAll(pool.writing("n4").failed(412).texts());
    all.addAll(pool.writing("n4").written().texts());

    assertThat(all).filteredOn(text -> text.startsWith("count")).containsExactly("count updated");
  }
}
