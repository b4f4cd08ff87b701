package io.poolkeeper.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.retry.RetryBudget.Limits;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a retry costs, what pays for it, and when either is forgotten: exact numbers. */
class RetryBudgetTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  /** As shipped: a reserve of 5 per 10 s, a retry per deposit, 20 at most. */
  private static final Limits SHIPPED = limits(20, 500, 100);

  private static Limits limits(int cap, int perSecond, int percent) {
    return new Limits(cap, TEN_SECONDS, perSecond, percent);
  }

  private static Instant at(double seconds) {
    return T0.plusMillis(Math.round(seconds * 1000));
  }

  private static RetryBudget deposits(RetryBudget budget, int times, Instant now) {
    RetryBudget next = budget;
    for (int i = 0; i < times; i++) {
      next = next.deposit(now);
    }
    return next;
  }

  private static RetryBudget withdrawals(RetryBudget budget, int times, Instant now) {
    RetryBudget next = budget;
    for (int i = 0; i < times; i++) {
      next = next.withdraw(now);
    }
    return next;
  }

  private static int withdrawable(RetryBudget budget, Instant now) {
    RetryBudget next = budget;
    int times = 0;
    for (; next.canWithdraw(now); times++) {
      next = next.withdraw(now);
    }
    return times;
  }

  @Test
  void balance_withoutHistory_isTheReserve() {
    assertThat(RetryBudget.of(SHIPPED, T0).balance(T0)).isEqualTo(5.0);
    assertThat(RetryBudget.of(limits(20, 10_000, 20), T0).balance(T0)).isEqualTo(100.0);
    assertThat(RetryBudget.of(limits(20, 100, 20), T0).balance(T0)).isEqualTo(1.0);
    assertThat(RetryBudget.of(limits(20, 101, 20), T0).balance(T0)).isEqualTo(2.0);
    assertThat(RetryBudget.of(limits(20, 1, 20), T0).balance(T0)).isEqualTo(1.0);
    assertThat(RetryBudget.of(limits(20, 0, 20), T0).balance(T0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"100,3,8.0", "20,3,5.6", "1,1,5.01", "250,2,10.0", "0,9,5.0", "100,99,20.0"})
  void deposit_percent_addsSoMuchUpToTheCap(int percent, int deposits, double balance) {
    RetryBudget budget = deposits(RetryBudget.of(limits(20, 500, percent), T0), deposits, T0);

    assertThat(budget.balance(T0)).isEqualTo(balance);
  }

  @Test
  void deposit_full_isLostAndNotKeptForLater() {
    RetryBudget budget = deposits(RetryBudget.of(SHIPPED, T0), 30, T0);

    RetryBudget empty = withdrawals(budget, 20, T0);

    assertThat(empty.balance(at(9.9))).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0,0,5.0", "0,1,5.0", "1,1,5.0", "3,1,3.0"})
  void refund_afterWithdrawals_givesOneBackUpToTheCap(int taken, int refunds, double balance) {
    RetryBudget budget = withdrawals(RetryBudget.of(limits(5, 500, 100), T0), taken, T0);

    for (int i = 0; i < refunds; i++) {
      budget = budget.refund(T0, T0);
    }

    assertThat(budget.balance(T0)).isEqualTo(balance);
  }

  @Test
  void refund_full_isNotKeptForLater() {
    RetryBudget full = RetryBudget.of(limits(5, 500, 100), T0).refund(T0, T0);

    assertThat(withdrawals(full, 5, T0).balance(at(1.9))).isLessThan(1.0);
  }

  @Test
  void withdraw_untilEmpty_takesOneEachAndThenIsRefused() {
    RetryBudget budget = withdrawals(RetryBudget.of(SHIPPED, T0), 4, T0);
    assertThat(budget.balance(T0)).isEqualTo(1.0);
    assertThat(budget.canWithdraw(T0)).isTrue();

    RetryBudget empty = budget.withdraw(T0);

    assertThat(empty.balance(T0)).isZero();
    assertThat(empty.canWithdraw(T0)).isFalse();
    assertThatThrownBy(() -> empty.withdraw(T0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the budget is empty");
  }

  @Test
  void canWithdraw_hundredthBelowOne_isFalse() {
    RetryBudget budget = RetryBudget.of(limits(1, 0, 99), T0).deposit(T0);

    assertThat(budget.balance(T0)).isEqualTo(0.99);
    assertThat(budget.canWithdraw(T0)).isFalse();
    assertThat(budget.deposit(T0).canWithdraw(T0)).isTrue();
  }

  @Test
  void balance_withdrawalLeavesTheWindow_reserveComesBack() {
    RetryBudget spent = withdrawals(RetryBudget.of(SHIPPED, T0), 5, at(0.3));

    assertThat(spent.balance(at(9.999))).isZero();
    assertThat(spent.balance(at(10))).isEqualTo(5.0);
  }

  @Test
  void balance_depositLeavesTheWindow_isForgotten() {
    RetryBudget rich = deposits(RetryBudget.of(SHIPPED, T0), 7, at(2.9));

    assertThat(rich.balance(at(11.999))).isEqualTo(12.0);
    assertThat(rich.balance(at(12))).isEqualTo(5.0);
  }

  @Test
  void balance_everyTenthOfTheTtl_forgetsThatSliceAlone() {
    RetryBudget budget = RetryBudget.of(SHIPPED, T0);
    for (int second = 0; second < 10; second++) {
      budget = deposits(budget, 1, at(second));
    }

    for (int second = 10; second < 20; second++) {
      assertThat(budget.balance(at(second))).as("%d s", second).isEqualTo(24.0 - second);
    }
  }

  @Test
  void balance_timeGoesBack_changesNothing() {
    RetryBudget budget = withdrawals(RetryBudget.of(SHIPPED, at(50)), 5, at(50));

    assertThat(budget.balance(at(-3_600))).isZero();
    assertThat(budget.deposit(at(20)).balance(at(20))).isEqualTo(1.0);
    assertThat(budget.deposit(at(20)).balance(at(59.9))).isEqualTo(1.0);
    assertThat(budget.deposit(at(20)).balance(at(60))).isEqualTo(5.0);
  }

  @Test
  void balance_farJumps_isTheReserve() {
    RetryBudget budget = withdrawals(deposits(RetryBudget.of(SHIPPED, T0), 9, T0), 14, T0);

    assertThat(budget.balance(at(1e9))).isEqualTo(5.0);
    assertThat(budget.deposit(Instant.parse("+200000-01-01T00:00:00Z")))
        .isEqualTo(
            RetryBudget.of(SHIPPED, Instant.parse("+200000-01-01T00:00:00Z"))
                .deposit(Instant.parse("+200000-01-01T00:00:00Z")));
    assertThat(RetryBudget.of(SHIPPED, Instant.ofEpochMilli(-1)).balance(Instant.EPOCH))
        .isEqualTo(5.0);
  }

  @Test
  void withdraw_afterDepositsPaidForWhatIsForgotten_isBoundedByTheWindow() {
    // Given withdrawals of 9 s that come back while the deposits after them still count
    RetryBudget budget = deposits(RetryBudget.of(SHIPPED, T0), 15, T0);
    budget = withdrawals(budget, 20, at(9));
    budget = deposits(budget, 35, at(10));
    budget = withdrawals(budget, 20, at(18.9));
    assertThat(budget.canWithdraw(at(18.9))).isFalse();

    // Then the window has 5 and those 35, 20 of which are spent, and never more than the cap
    assertThat(withdrawable(budget, at(19))).isEqualTo(20);
    assertThat(withdrawals(budget, 20, at(19)).nextWithdrawal(at(19))).contains(at(29));
  }

  @Test
  void balance_withdrawalIsForgottenBeforeItsDeposit_isAtMostTheCap() {
    RetryBudget budget = deposits(RetryBudget.of(SHIPPED, T0), 15, T0);

    budget = deposits(withdrawals(budget, 20, at(9)), 35, at(10));

    assertThat(budget.balance(at(19))).isEqualTo(20.0);
  }

  @Test
  void withdraw_reserveAboveTheCap_isBoundedByTheReserve() {
    RetryBudget budget = RetryBudget.of(limits(20, 10_000, 100), T0).deposit(T0);

    assertThat(withdrawable(budget, T0)).isEqualTo(100);
    assertThat(withdrawals(budget, 100, T0).nextWithdrawal(T0)).contains(at(10));
  }

  @Test
  void nextWithdrawal_always_isTheFirstMillisecondAtWhichOneIsPossible() {
    RetryBudget empty = withdrawals(RetryBudget.of(SHIPPED, T0), 5, at(3.2));

    assertThat(empty.nextWithdrawal(at(4.567))).contains(at(13));
    assertThat(empty.canWithdraw(at(12.999))).isFalse();
    assertThat(empty.canWithdraw(at(13))).isTrue();
    assertThat(empty.nextWithdrawal(at(14).plusNanos(1))).contains(at(14).plusNanos(1));
  }

  @Test
  void nextWithdrawal_depositsAreForgottenMeanwhile_looksBeyond() {
    // Given a reserve of one, and a deposit of one that is forgotten at 10 s
    RetryBudget budget = deposits(RetryBudget.of(limits(20, 50, 100), T0), 1, T0);

    RetryBudget empty = withdrawals(budget, 2, at(5));

    // Then what was withdrawn comes back at 15 s; at 10 s the window would hold less than none.
    assertThat(empty.nextWithdrawal(at(5))).contains(at(15));
    assertThat(empty.canWithdraw(at(14.999))).isFalse();
    assertThat(empty.canWithdraw(at(15))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1,1", "99,1", "100,1", "150,2", "500,5", "1500,15"})
  void withdraw_onlyFailures_isPossibleSoOftenPerTtl(int perSecond, int times) {
    RetryBudget budget = RetryBudget.of(limits(1, perSecond, 0), T0);
    Instant now = T0;
    for (int window = 0; window < 50; window++) {
      assertThat(withdrawable(budget, now)).isEqualTo(times);
      budget = withdrawals(budget, times, now);
      Instant next = budget.nextWithdrawal(now).orElseThrow();
      assertThat(Duration.between(now, next)).isEqualTo(TEN_SECONDS);
      now = next;
    }
  }

  @Test
  void refund_ofThisMoment_isAsIfNothingHadBeenWithdrawn() {
    RetryBudget before = withdrawals(RetryBudget.of(SHIPPED, T0), 3, T0);

    assertThat(before.withdraw(T0).refund(T0, T0)).isEqualTo(before);
  }

  @Test
  void refund_later_goesWhereItWasWithdrawn() {
    RetryBudget spent = withdrawals(RetryBudget.of(SHIPPED, T0), 5, at(0.3));

    RetryBudget refunded = spent.refund(at(0.3), at(9.9));

    assertThat(refunded.balance(at(9.9))).isEqualTo(1.0);
    assertThat(refunded.balance(at(10))).as("nothing comes back twice").isEqualTo(5.0);
  }

  @Test
  void refund_whatIsForgotten_hasComeBackAlready() {
    RetryBudget spent = withdrawals(RetryBudget.of(SHIPPED, T0), 5, at(0.3));

    assertThat(spent.refund(at(0.3), at(10)).balance(at(10))).isEqualTo(5.0);
  }

  @Test
  void nextWithdrawal_nothingPerSecond_isNever() {
    RetryBudget budget = RetryBudget.of(limits(20, 0, 100), T0);
    assertThat(budget.nextWithdrawal(T0)).isEmpty();

    RetryBudget spent = withdrawals(deposits(RetryBudget.of(limits(1, 0, 100), T0), 1, T0), 1, T0);
    assertThat(spent.nextWithdrawal(T0)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0,10000,0,0,'cap must be 1 to 1000, not 0'",
    "1001,10000,0,0,'cap must be 1 to 1000, not 1001'",
    "1,999,0,0,'ttl must be PT1S to PT1M, not PT0.999S'",
    "1,60001,0,0,'ttl must be PT1S to PT1M, not PT1M0.001S'",
    "1,10000,-1,0,'thousandths per second must be 0 to 100000, not -1'",
    "1,10000,100001,0,'thousandths per second must be 0 to 100000, not 100001'",
    "1,10000,0,-1,'percent must be 0 to 100000, not -1'",
    "1,10000,0,100001,'percent must be 0 to 100000, not 100001'"
  })
  void limits_outOfBounds_areRefused(
      int cap, long ttlMillis, int perSecond, int percent, String message) {
    assertThatThrownBy(() -> new Limits(cap, Duration.ofMillis(ttlMillis), perSecond, percent))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void everyOperation_largestLimits_doesNotOverflow() {
    Limits largest = new Limits(1_000, Duration.ofMinutes(1), 100_000, 100_000);
    RetryBudget budget = RetryBudget.of(largest, T0);
    for (int second = 0; second < 200; second++) {
      budget = deposits(budget, 10, at(second));
      assertThat(budget.balance(at(second))).isEqualTo(6_000.0);
      assertThat(withdrawable(budget, at(second))).isEqualTo(6_000);
      budget = withdrawals(budget, 500, at(second));
    }
    assertThat(withdrawable(budget, Instant.ofEpochMilli(Long.MAX_VALUE / 100_000)))
        .isEqualTo(6_000);
  }
}
