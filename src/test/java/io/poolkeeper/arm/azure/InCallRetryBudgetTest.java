package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class InCallRetryBudgetTest {
  private Instant now = Instant.EPOCH;
  private final InCallRetryBudget budget = new InCallRetryBudget(() -> now);

  private int most() {
    int withdrawn = 0;
    while (withdrawn < 1_000 && budget.withdraw()) {
      withdrawn++;
    }
    return withdrawn;
  }

  @Test
  void withdraw_withoutAnyAnswer_letsOneCallBeRepeatedAsOftenAsItMay() {
    assertThat(most()).isEqualTo(Limits.DEFAULT.retries());
  }

  @Test
  void withdraw_whileNothingIsAnswered_isThreeAMinute() {
    most();
    int later = 0;
    for (int second = 1; second <= 600; second++) {
      now = now.plusSeconds(1);
      later += most();
    }

    assertThat(later).isBetween(29, 31);
  }

  @Test
  void withdraw_afterAnswers_isOneForEach() {
    most();
    for (int answer = 0; answer < 7; answer++) {
      budget.deposit();
    }

    assertThat(most()).isEqualTo(7);
  }

  @Test
  void withdraw_afterManyAnswers_isAtMostTwentyAtOnce() {
    for (int answer = 0; answer < 1_000; answer++) {
      budget.deposit();
    }

    assertThat(most()).isEqualTo(20);
  }

  @Test
  void withdraw_aMinuteAfterTheLastAnswer_isWhatIsFree() {
    for (int answer = 0; answer < 1_000; answer++) {
      budget.deposit();
    }
    now = now.plus(Duration.ofMinutes(2));

    assertThat(most()).isEqualTo(3);
  }
}
