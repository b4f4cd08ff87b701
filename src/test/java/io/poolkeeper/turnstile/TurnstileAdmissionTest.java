package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.A;
import static io.poolkeeper.turnstile.TurnstileDriver.B;
import static io.poolkeeper.turnstile.TurnstileDriver.C;
import static io.poolkeeper.turnstile.TurnstileDriver.E;
import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import io.poolkeeper.retry.RetryBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a turn costs and who has to pay: tokens and the retry budget (architecture, The turnstile).
 */
class TurnstileAdmissionTest {
  private static final int WRITE_SECONDS = 1_000;

  @Test
  void sent_anyCall_costsATokenOfItsKind() {
    TurnstileDriver turnstile = TurnstileDriver.with(10, 5, 16);

    turnstile.sent(true, 3);
    turnstile.sent(false, 7);

    assertThat(turnstile.state().quota().writes().common().tokens()).isEqualTo(7.0);
    assertThat(turnstile.state().quota().writes().reserve().tokens()).isEqualTo(5.0);
    assertThat(turnstile.state().quota().reads().tokens()).isEqualTo(993.0);
  }

  @Test
  void request_turnsOutMayStillWrite_needsATokenMoreThanThose() {
    TurnstileDriver turnstile = TurnstileDriver.with(2, 0, 16);
    assertThat(turnstile.request(A, Lane.UPDATE).granted()).containsExactly(A);
    assertThat(turnstile.request(C, Lane.UPDATE).granted()).containsExactly(C);

    assertThat(turnstile.request(E, Lane.UPDATE).granted()).isEmpty();

    assertThat(turnstile.giveBack(C, 2, TurnResult.SUCCEEDED).granted()).containsExactly(E);
  }

  @Test
  void request_noWriteToken_goesToTheNanosecondAtWhichThereIsOne() {
    TurnstileDriver turnstile = TurnstileDriver.with(2, 0, 16);
    turnstile.sent(true, 3);
    assertThat(turnstile.request(A, Lane.UPDATE).granted()).isEmpty();

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(2 * WRITE_SECONDS));
    assertThat(turnstile.fire().granted()).containsExactly(A);
  }

  @Test
  void request_noReadToken_stopsEveryLaneUntilThereIsOne() {
    TurnstileDriver turnstile = TurnstileDriver.withReads(5);
    turnstile.sent(false, 7);
    assertThat(turnstile.request(A, Lane.DRAIN).granted()).isEmpty();
    assertThat(turnstile.request(C, Lane.UPDATE).granted()).isEmpty();

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(3));
    assertThat(turnstile.fire().granted()).containsExactly(A);
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(4));
    assertThat(turnstile.fire().granted()).containsExactly(C);
  }

  @Test
  void request_moreTurnsThanReadTokensFit_waitForAReturnWithoutATimer() {
    TurnstileDriver turnstile = TurnstileDriver.withReads(1);
    turnstile.request(A, Lane.UPDATE);

    assertThat(turnstile.request(C, Lane.UPDATE).granted()).isEmpty();

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(60));
    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).containsExactly(C);
  }

  @Test
  void listing_turnsWaitForEveryReadToken_hasOneOfThem() {
    TurnstileDriver turnstile = TurnstileDriver.withReads(5);
    turnstile.sent(false, 5);
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.UPDATE);
    turnstile.requestListing();

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(1));
    turnstile.fire();

    assertThat(turnstile.ordered()).startsWith(new TurnstileEffect.GrantRead(Reader.LISTING));
    assertThat(turnstile.granted()).containsExactly(A);
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAIN", "DRAIN_RETRY"})
  void request_commonTokensAreGone_drainsGoOnTheReserve(Lane lane) {
    TurnstileDriver turnstile = TurnstileDriver.with(0, 1, 16);
    assertThat(turnstile.request(A, lane).granted()).containsExactly(A);
    turnstile.sent(true, 1);
    assertThat(turnstile.request(C, lane).granted()).isEmpty();

    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.granted()).isEmpty();
    assertThat(turnstile.state().quota().writes().common().tokens()).isZero();
    assertThat(turnstile.state().quota().writes().reserve().tokens()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "SUCCEEDED,1",
    "FAILED,1",
    "UNRESOLVED,1",
    "CONFLICT,1",
    "SUPERSEDED,1",
    "OTHER_WRITER,2",
    "UNREAD,2",
    "UNCHANGED,2"
  })
  void giveBack_drain_isPaidByTheReserveIfAWriteWasSent(TurnResult result, double left) {
    TurnstileDriver turnstile = TurnstileDriver.with(5, 2, 16);
    turnstile.request(A, Lane.DRAIN_RETRY);

    turnstile.giveBack(A, 1, result);

    assertThat(turnstile.state().quota().writes().reserve().tokens()).isEqualTo(left);
  }

  @Test
  void deadlineOrDeath_drain_isPaidByTheReserve() {
    TurnstileDriver turnstile = TurnstileDriver.with(5, 2, 16);
    turnstile.request(A, Lane.DRAIN);
    turnstile.request(C, Lane.DRAIN);
    turnstile.die(A);
    assertThat(turnstile.state().quota().writes().reserve().tokens()).isEqualTo(1.0);

    turnstile.seconds(60).timer();

    assertThat(turnstile.state().quota().writes().reserve().tokens()).isZero();
  }

  @Test
  void request_drainsThatFailWithoutEnd_endWithTheReserve() {
    TurnstileDriver turnstile = TurnstileDriver.with(10, 5, 16);
    int writes = 0;
    turnstile.request(A, Lane.DRAIN);
    for (int turn = 1; !turnstile.granted().isEmpty() && turn < 100; turn++) {
      turnstile.sent(true, 1);
      writes++;
      turnstile.giveBack(A, turn, TurnResult.FAILED);
      turnstile.request(A, Lane.DRAIN);
    }
    assertThat(writes).isEqualTo(15);
  }

  @Test
  void request_retriedDrainAndNoReserve_hasTheNextCommonTokenBeforeUpdates() {
    TurnstileDriver turnstile = TurnstileDriver.with(1, 0, 16);
    turnstile.sent(true, 1);
    turnstile.request(E, Lane.REPAIR);
    turnstile.request(C, Lane.UPDATE);
    turnstile.request(A, Lane.DRAIN_RETRY);

    assertThat(turnstile.fire().granted()).containsExactly(A);
  }

  @Test
  void request_retriedDrainAndUpdatesWithoutEnd_isGrantedThoughTheReserveNeverFills() {
    TurnstileDriver turnstile = TurnstileDriver.with(2, 0, 1);
    turnstile.request(C, Lane.UPDATE);
    turnstile.request(A, Lane.DRAIN_RETRY);
    turnstile.request(E, Lane.UPDATE);
    turnstile.sent(true, 1);

    assertThat(turnstile.giveBack(C, 1, TurnResult.SUCCEEDED).granted()).containsExactly(A);
  }

  @Test
  void request_retriedDrainAndAReserve_comesAfterUpdatesAndIsPaidByIt() {
    TurnstileDriver turnstile = TurnstileDriver.with(5, 1, 1);
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(C, Lane.DRAIN_RETRY);
    turnstile.request(E, Lane.UPDATE);

    assertThat(turnstile.giveBack(A, 1, TurnResult.SUCCEEDED).granted()).containsExactly(E);
    assertThat(turnstile.giveBack(E, 2, TurnResult.SUCCEEDED).granted()).containsExactly(C);
    turnstile.sent(true, 1).giveBack(C, 3, TurnResult.FAILED);
    assertThat(turnstile.state().quota().writes().common().tokens()).isEqualTo(5.0);
    assertThat(turnstile.state().quota().writes().reserve().tokens()).isZero();
  }

  @Test
  void request_manyUpdatesAreOut_doNotHoldUpDrainRetries() {
    TurnstileDriver turnstile = TurnstileDriver.with(100, 1, 16);
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(C, Lane.UPDATE);

    assertThat(turnstile.request(E, Lane.DRAIN_RETRY).granted()).containsExactly(E);
  }

  @ParameterizedTest
  @CsvSource({"RETRY,1", "REPAIR,1", "DRAIN,2", "UPDATE,2", "DRAIN_RETRY,2"})
  void grant_everyLane_costsTheBudgetOrNot(Lane lane, double left) {
    TurnstileDriver turnstile = TurnstileDriver.wide();
    assertThat(turnstile.budget()).isEqualTo(2.0);

    turnstile.request(A, lane);

    assertThat(turnstile.budget()).isEqualTo(left);
  }

  @Test
  void request_budgetIsEmpty_retriesAndRepairsWaitAndOthersGoOn() {
    TurnstileDriver turnstile = TurnstileDriver.wide();
    for (int turn = 1; turn <= 2; turn++) {
      turnstile.request(A, Lane.RETRY);
      turnstile.giveBack(A, turn, TurnResult.FAILED);
    }
    assertThat(turnstile.request(A, Lane.RETRY).granted()).isEmpty();
    assertThat(turnstile.request(C, Lane.REPAIR).granted()).isEmpty();
    assertThat(turnstile.request(C, Lane.UPDATE).granted()).containsExactly(C);
    assertThat(turnstile.request(E, Lane.DRAIN).granted()).containsExactly(E);

    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(10));
    assertThat(turnstile.fire().granted()).containsExactly(A);
  }

  @Test
  void request_budgetIsEmpty_waitingCountsAsNoPass() {
    TurnstileDriver turnstile = TurnstileDriver.wide();
    int turn = 1;
    for (; turn <= 2; turn++) {
      turnstile.request(A, Lane.RETRY);
      turnstile.giveBack(A, turn, TurnResult.FAILED);
    }
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.RETRY);
    // Given more updates than a lane is passed over by, while there is nothing to pay with
    for (; turn <= 22; turn++) {
      turnstile.request(A, Lane.UPDATE);
      assertThat(turnstile.giveBack(A, turn, TurnResult.FAILED).granted()).containsExactly(A);
    }
    turnstile.request(A, Lane.UPDATE);

    // When there is again, then the update still goes first
    assertThat(turnstile.seconds(20).giveBack(A, turn, TurnResult.FAILED).granted())
        .containsExactly(A);
  }

  @Test
  void request_lateAtItsLoadBalancerButBudgetIsEmpty_waits() {
    TurnstileDriver turnstile = TurnstileDriver.wide();
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.RETRY);
    int turn = 1;
    // Given a retry that is late at its load balancer, and others that spend the budget elsewhere
    for (; turn <= 8; turn++) {
      turnstile.request(A, Lane.UPDATE);
      turnstile.giveBack(A, turn, TurnResult.FAILED);
    }
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(C, Lane.RETRY);
    turnstile.request(E, Lane.RETRY);
    assertThat(turnstile.budget()).isZero();

    // Then it has no turn that it could not pay for
    assertThat(turnstile.giveBack(A, turn, TurnResult.FAILED).granted()).containsExactly(A);
    assertThat(turnstile.giveBack(C, turn + 1, TurnResult.FAILED).granted()).isEmpty();
  }

  @Test
  void request_budgetIsEmpty_isBoughtByTwoSuccesses() {
    TurnstileDriver turnstile = TurnstileDriver.wide();
    for (int turn = 1; turn <= 2; turn++) {
      turnstile.request(A, Lane.RETRY);
      turnstile.giveBack(A, turn, TurnResult.FAILED);
    }
    turnstile.request(A, Lane.RETRY);
    turnstile.request(C, Lane.UPDATE);
    assertThat(turnstile.giveBack(C, 3, TurnResult.SUCCEEDED).granted()).isEmpty();
    turnstile.request(C, Lane.UPDATE);

    assertThat(turnstile.giveBack(C, 4, TurnResult.SUCCEEDED).granted()).containsExactly(A);
    assertThat(turnstile.budget()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "SUCCEEDED,2.5",
    "UNCHANGED,2.5",
    "FAILED,2",
    "UNREAD,2",
    "CONFLICT,2",
    "OTHER_WRITER,2",
    "UNRESOLVED,2"
  })
  void giveBack_policySuccess_onlySuccessDeposits(TurnResult result, double balance) {
    TurnstileDriver turnstile = TurnstileDriver.wide();
    turnstile.request(A, Lane.UPDATE);
    assertThat(turnstile.budget()).isEqualTo(2.0);

    turnstile.giveBack(A, 1, result);

    assertThat(turnstile.budget()).isEqualTo(balance);
  }

  @ParameterizedTest
  @CsvSource({
    "RETRY,OTHER_WRITER,2",
    "RETRY,UNCHANGED,2.5",
    "REPAIR,OTHER_WRITER,2",
    "REPAIR,UNCHANGED,2.5",
    "UPDATE,UNCHANGED,2.5",
    "RETRY,SUCCEEDED,1.5",
    "RETRY,FAILED,1",
    "RETRY,UNREAD,1",
    "RETRY,CONFLICT,1",
    "RETRY,SUPERSEDED,1",
    "RETRY,UNRESOLVED,1",
    "UPDATE,OTHER_WRITER,2",
    "DRAIN_RETRY,OTHER_WRITER,2"
  })
  void giveBack_noWriteWasSent_retryIsNotPaidFor(Lane lane, TurnResult result, double balance) {
    TurnstileDriver turnstile = TurnstileDriver.wide();
    turnstile.request(A, lane);

    turnstile.after(Duration.ofMillis(1)).giveBack(A, 1, result);

    assertThat(turnstile.budget()).isEqualTo(balance);
  }

  @ParameterizedTest
  @CsvSource({"UPDATE,2.5", "DRAIN,2.5", "DRAIN_RETRY,2.5", "RETRY,1", "REPAIR,1"})
  void grant_policyAttempt_depositsAtTheGrantAndNotAtTheEnd(Lane lane, double balance) {
    TurnstileDriver turnstile = TurnstileDriver.with(TurnstileDriver.BUDGET, true);
    turnstile.request(A, lane);
    assertThat(turnstile.budget()).isEqualTo(balance);

    turnstile.giveBack(A, 1, TurnResult.SUCCEEDED);

    assertThat(turnstile.budget()).isEqualTo(balance);
  }

  @Test
  void request_turnTokenOrGateIsMissing_costsNoRetry() {
    TurnstileDriver turnstile = TurnstileDriver.with(1, 0, 1);
    // Given a turn that is out, and then no token, no read, and a gate that is closed
    turnstile.request(A, Lane.UPDATE);
    turnstile.request(B, Lane.RETRY);
    assertThat(turnstile.budget()).isEqualTo(2.0);
    turnstile.sent(true, 1);
    turnstile.giveBack(A, 1, TurnResult.FAILED);
    assertThat(turnstile.budget()).isEqualTo(2.0);
    turnstile.throttle(true, Duration.ofSeconds(5_000));

    // When all is there but the gate
    turnstile.seconds(2L * WRITE_SECONDS).timer();
    assertThat(turnstile.granted()).isEmpty();
    assertThat(turnstile.budget()).isEqualTo(2.0);

    // Then the retry is paid for only as it goes
    assertThat(turnstile.fire().granted()).containsExactly(B);
    assertThat(turnstile.now()).isEqualTo(T0.plusSeconds(5_000));
    assertThat(turnstile.budget()).isEqualTo(1.0);
  }

  @Test
  void wakeAt_gateTokenAndBudgetAreMissing_isWhenAllAreThere() {
    TurnstileDriver turnstile = TurnstileDriver.with(2, 0, 16);
    for (int turn = 1; turn <= 2; turn++) {
      turnstile.request(A, Lane.RETRY);
      turnstile.giveBack(A, turn, TurnResult.FAILED);
    }
    turnstile.sent(true, 2);
    turnstile.throttle(false, Duration.ofSeconds(7));
    turnstile.request(A, Lane.RETRY);
    assertThat(turnstile.fire().granted()).as("only to tell that the gate is open").isEmpty();
    assertThat(turnstile.wakeAt()).contains(T0.plusSeconds(WRITE_SECONDS));

    assertThat(turnstile.fire().granted()).containsExactly(A);
  }

  @Test
  void wakeAt_budgetNeverComesBack_isNever() {
    TurnstileDriver turnstile =
        TurnstileDriver.with(new RetryBudget.Limits(20, Duration.ofSeconds(10), 0, 100), false);

    assertThat(turnstile.request(A, Lane.RETRY).granted()).isEmpty();

    assertThat(turnstile.wakeAt()).isEmpty();
    Optional<Instant> out = Optional.of(T0.plusSeconds(60));
    turnstile.request(C, Lane.UPDATE);
    assertThat(turnstile.wakeAt()).isEqualTo(out);
    assertThat(turnstile.giveBack(C, 1, TurnResult.SUCCEEDED).granted()).containsExactly(A);
  }
}
