package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.limits;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pool does about failures beyond the numbered tests of spec 1. */
class RetryBeyondSpecTest {
  private static PoolDriver changed(PoolLimits limits) {
    return new PoolDriver(limits).web("n5");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1})
  void conflict_withoutTimeToCome_isDueAfter2And8And30SecondsGiveOrTakeATenth(double drawn) {
    PoolDriver pool = Call.PUT.underWay().drawing(drawn);

    for (double seconds : new double[] {2, 8, 30}) {
      pool.failed(412).wakes(seconds * (0.9 + 0.2 * drawn)).writing("n4");
    }
  }

  @Test
  void conflict_freshChangeBesideARetriedOne_isDueAsTheRetriedOneIs_whileThatIsNotExhausted() {
    PoolDriver pool = Call.PUT.underWay().failed(412).api("n7").reading().failed(412);
    pool.is("Gathering", 2, 1).wakes(8).reading().failed(412).reading().failed(412);

    pool.is("Gathering", 3).wakes(30);
  }

  @Test
  void conflict_withoutEarlyWrites_isDueAnIntervalLater() {
    changed(limits(INTERVAL, true, 3)).reading().failed(412).is("Gathering", 1).wakes(30);
  }

  @Test
  void desire_atOrAfterTheParkingsEndBeforeItsTimer_goesAtOnce() {
    Call.GET.underWay().throttled(20).after(20).web("n6").wakes(0);

    PoolDriver late = Call.GET.underWay().throttled(20).after(20.005).web("n6").wakes(-0.005);
    late.tick().out("permit RETRY");
  }

  @Test
  void failed_mixedBudgetsOfOneAttempt_tellsBothOutcomes() {
    PoolDriver pool = Call.GET.underWay().failed(412).reading().failed(412).reading().failed(412);
    pool.web("n6").is("Gathering", 3, 0).reading().failed(412);

    pool.out("return UNREAD; web retrying; web exhausted 3; count failed; requeue 1 again");
    pool.is("Gathering", 1).wakes(2);
  }

  /** A counter of attempts, not of changes. */
  @Test
  void throttled_mixedBudgetsOfOneAttempt_countsOnce() {
    PoolDriver pool = Call.GET.underWay().failed(412).reading().failed(412).reading().failed(412);
    pool.web("n6").reading().throttled(20).has("count failed", "requeue 1");

    assertThat(pool.texts()).containsOnlyOnce("throttled");
  }

  @Test
  void throttled_pollOfAnAcceptedWrite_counts_andNoOtherUnknownEndDoes() {
    PoolDriver pool = Call.PUT.underWay();
    Optional<Instant> until = Optional.of(pool.now().plusSeconds(20));

    pool.copy().failed(new ArmFailure(Kind.UNRESOLVED, 429, "", "no", until)).has("throttled");
    pool.copy().failed(new ArmFailure(Kind.UNRESOLVED, 0, "", "no", until)).has("held");
    pool.failed(new ArmFailure(Kind.UNRESOLVED, 0, "", "no")).lacks("throttled", "held");
  }

  @Test
  void release_whileParkedAndAlone_leavesNothingToDo() {
    Call.GET.underWay().throttled(20).release(WEB).out("dropped").is("Idle").rests();
  }

  @ParameterizedTest
  @EnumSource
  void shutdown_ofTheCallItself_isSilent(Call call) {
    PoolDriver pool = call.underWay();

    pool.failed(new ArmFailure(Kind.SHUTDOWN, 0, "", "the program ends"));

    pool.out("return " + (call == Call.GET ? "UNREAD" : "UNRESOLVED") + "; failing").is("Failed");
  }

  @Test
  void read_asWishedAfterARetriedWrite_isASuccess() {
    PoolDriver pool = Call.PUT.underWay();
    pool.failed(new ArmFailure(Kind.UNRESOLVED, 0, "", "no answer"));

    pool.writing("n5").out("return UNCHANGED; web updated; count updated; verification; recovered");
  }

  @Test
  @DisplayName(
      "spec 1 updater test 22: without retries, a change is dropped after its first failure")
  void maxRetries_none_dropsAfterTheFirstFailure() {
    PoolDriver pool = changed(limits(MIN_INTERVAL, true, 0)).reading().failed(412);

    pool.out("return UNREAD; web exhausted 0; count failed; failing").is("Failed");
    pool.timer().out("permit REPAIR");
  }

  @Test
  @DisplayName("spec 1 updater test 22: without retries, not even a Retry-After parks a change")
  void maxRetries_noneAndThrottled_dropsTheChange() {
    PoolDriver pool = changed(limits(MIN_INTERVAL, true, 0)).writing("n4").throttled(20);

    pool.has("web exhausted 0").lacks("requeue").is("Failed").wakes(20);
  }

  @Test
  void repair_throttled_comesNotBeforeArmTakesCallsAgain() {
    PoolDriver pool = Call.GET.underWay().failed(403).reading().throttled(600);

    pool.lacks("requeue").is("Failed").wakes(600);
  }

  @Test
  void repair_afterAFailedPut_keepsTheSpacingFromItsEnd_orComesByItsOwnTimer() {
    changed(limits(INTERVAL, true, 3)).writing("n4").after(1).failed(403).is("Failed").wakes(30);
    Call.PUT.underWay().failed(403).is("Failed").wakes(11.25);
  }
}
