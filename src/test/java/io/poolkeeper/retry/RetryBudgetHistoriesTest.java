package io.poolkeeper.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.retry.RetryBudget.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of a budget in every history: shares, bounds and the wake-up. */
class RetryBudgetHistoriesTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10, 20, 50, 100, 1_000})
  void everyRequestFails_retriesAreThePercentage(int percent) {
    // Given requests that come steadily within one window, each a deposit, and nothing for free
    Duration ttl = Duration.ofMinutes(1);
    RetryBudget budget = RetryBudget.of(new Limits(1_000, ttl, 0, percent), T0);
    int retries = 0;
    Instant now = T0;
    for (int request = 1; request <= 10_000; request++) {
      budget = budget.deposit(now);
      for (; budget.canWithdraw(now); retries++) {
        budget = budget.withdraw(now);
      }
      now = now.plus(ttl.dividedBy(10_000));
      assertThat(retries - request * percent / 100.0).isBetween(-1.0, 1.0);
    }
    assertThat(retries - 100.0 * percent).isBetween(-1.0, 1.0);
  }

  @Test
  void nothingSucceeds_retriesAreTheReservePerWindow() {
    Duration ttl = Duration.ofSeconds(10);
    RetryBudget budget = RetryBudget.of(new Limits(20, ttl, 500, 100), T0);
    for (int window = 0; window < 1_000; window++) {
      Instant now = T0.plus(ttl.multipliedBy(window));
      int retries = 0;
      for (; budget.canWithdraw(now); retries++) {
        budget = budget.withdraw(now);
      }
      assertThat(retries).isEqualTo(5);
    }
  }

  @Test
  void randomHistories_keepEveryBound() {
    int binding = 0;
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Limits limits =
          new Limits(
              random.nextInt(1, 30),
              Duration.ofMillis(random.nextInt(1_000, 20_000)),
              random.nextInt(3) == 0 ? 0 : random.nextInt(5_000),
              random.nextInt(300));
      binding += new History(limits, random).run();
    }
    assertThat(binding).as("withdrawals that a bound refused").isGreaterThan(2_000);
  }

  /** One history and its own books. */
  private static final class History {
    private record Entry(Instant at, boolean retry) {}

    private final Limits limits;
    private final SplittableRandom random;
    private final List<Entry> entries = new ArrayList<>();
    private RetryBudget budget;
    private Instant now = T0;

    History(Limits limits, SplittableRandom random) {
      this.limits = limits;
      this.random = random;
      this.budget = RetryBudget.of(limits, T0);
    }

    int run() {
      int refused = 0;
      for (int step = 0; step < 120; step++) {
        int kind = random.nextInt(10);
        int times = random.nextInt(8);
        if (kind < 3) {
          for (int i = 0; i < times; i++) {
            budget = budget.deposit(now);
            entries.add(new Entry(now, false));
          }
        } else if (kind < 7) {
          for (int i = 0; i < times && budget.canWithdraw(now); i++) {
            budget = budget.withdraw(now);
            entries.add(new Entry(now, true));
          }
          refused += budget.canWithdraw(now) ? 0 : 1;
        } else {
          now = now.plusNanos(random.nextLong(limits.ttl().toNanos() / 4));
        }
        assertThat(budget.balance(now)).isBetween(0.0, Math.max(limits.cap(), reserve()));
        checkNext();
      }
      checkWindows();
      return refused;
    }

    /** Nothing is possible before the instant that was told, and one retry is at it. */
    private void checkNext() {
      Optional<Instant> next = budget.nextWithdrawal(now);
      Instant end = next.orElse(now.plus(limits.ttl().multipliedBy(3)));
      next.ifPresent(at -> assertThat(budget.canWithdraw(at)).isTrue());
      assertThat(next.filter(now::equals).isPresent()).isEqualTo(budget.canWithdraw(now));
      if (end.isAfter(now)) {
        assertThat(budget.canWithdraw(end.minusMillis(1))).isFalse();
        Instant between = now.plusNanos(random.nextLong(Duration.between(now, end).toNanos()));
        assertThat(budget.canWithdraw(between)).isFalse();
      }
    }

    private double reserve() {
      return Math.ceil(limits.perSecond() * limits.ttl().toMillis() / 1e6);
    }

    /** Of every window that begins and ends with a retry. */
    private void checkWindows() {
      for (int first = 0; first < entries.size(); first++) {
        Instant begin = entries.get(first).at();
        int retries = 0;
        for (Entry entry : entries.subList(first, entries.size())) {
          if (entry.retry()) {
            checkTtl(++retries, begin, entry.at());
          }
        }
      }
    }

    /** In a window no longer than nine tenths: no more than the reserve and a ttl's deposits. */
    private void checkTtl(int retries, Instant begin, Instant end) {
      Duration ttl = limits.ttl();
      if (retries <= reserve()
          || Duration.between(begin, end).toMillis() > ttl.toMillis() * 9 / 10 - 20) {
        return;
      }
      long paid =
          entries.stream()
              .filter(e -> !e.retry() && !e.at().isAfter(end) && e.at().isAfter(end.minus(ttl)))
              .count();
      assertThat((double) retries)
          .isLessThanOrEqualTo(reserve() + paid * limits.percent() / 100.0 + 1e-9);
    }
  }
}
