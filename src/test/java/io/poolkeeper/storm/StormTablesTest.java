package io.poolkeeper.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.storm.StormTables.Figures;
import io.poolkeeper.storm.Weather.Answer;
import io.poolkeeper.turnstile.TurnstileFixtures;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the tables of {@code docs/turnstile.md} claim, on a few seeds. */
class StormTablesTest {
  private static final int SEEDS = 3;
  private static final Duration JUST_BEFORE_ITS_END = StormTables.OUTAGE.minusMillis(1);

  /**
   * The bounds are the best that independent pools with backoff, a budget fed by success and the
   * same gate reach in simulation. Nothing can be faster than its gate.
   */
  @ParameterizedTest
  @CsvSource({
    "20, 4, 8, 503, 50, 9",
    "20, 4, 8, 429, 50, 9",
    "100, 4, 8, 503, 34, 32",
    "100, 4, 8, 429, 34, 32",
    "100, 10, 20, 503, 34, 10",
    "500, 4, 8, 503, 124.5, 145",
    "500, 4, 8, 429, 124.5, 145",
    "500, 2, 20, 503, 241.5, 322",
    "500, 2, 20, 429, 241.5, 322",
  })
  void tenMinutesOfOutageAreOverAsSoonAsTheGateAllows(
      int pools, int perSecond, int burst, int status, double slowest, double lastFirst) {
    StormPlan plan =
        StormTables.gate(pools, Answer.status(status), perSecond, burst).plan().repeating(0);

    Figures figures = StormTables.run(plan, SEEDS);

    double fastest = Math.max(0, (double) (pools - burst) / perSecond);
    assertThat(figures.slowest()).isBetween(fastest, slowest);
    assertThat(figures.lastFirstAttempt()).isBetween(fastest, lastFirst);
    assertThat(figures.peakDuring()).isLessThanOrEqualTo(burst + perSecond);
    assertThat(figures.peakAfter()).isLessThanOrEqualTo(2.0 * (burst + perSecond));
  }

  /** Behind the first attempts, half a retry per second, and what was saved up at the beginning. */
  @Test
  void duringTheOutageRetriesComeAtTheReserveOfTheBudget() {
    StormPlan plan = StormTables.gate(500, Answer.status(503), 4, 8).plan().repeating(0);

    StormBooks books = new Storm(plan, 1).run(JUST_BEFORE_ITS_END);

    double reserve = 0.5 * StormTables.OUTAGE.toSeconds();
    assertThat(books.calls().size()).isLessThan(500 + (int) reserve + 20);
    assertThat(books.count()).isZero();
  }

  /** The bucket is full by then, and is emptied at once: the worst window is as full as allowed. */
  @Test
  void afterTheOutageNoWindowHasMoreWritesThanBurstAndRate() {
    Weather outage = Weather.outage(StormTables.OUTAGE, Answer.status(503));
    StormPlan plan = StormPlan.instant(500, TurnstileFixtures.SHIPPED, outage);

    StormBooks books = new Storm(plan, 1).run(StormTables.OUTAGE.multipliedBy(2));

    assertThat(books.writes()).hasSize(500);
    assertThat(StormBooks.overdraft(books.writes(), 150, 1.5)).isBetween(-1.0, 1e-6);
  }

  @Test
  void fewPoolsAreWellSoonAfterTheOutageThoughTheirTimersAreLong() {
    Weather outage = Weather.outage(StormTables.OUTAGE, Answer.status(503));
    StormPlan plan = StormPlan.azure(20, TurnstileFixtures.SHIPPED, outage);

    assertThat(StormTables.run(plan, SEEDS).slowest()).isBetween(5.0, 60.0);
  }

  @Test
  void whileArmSaysWhenToComeBackAlmostNothingIsSent() {
    Weather outage = Weather.outage(StormTables.OUTAGE, Answer.throttled(Duration.ofMinutes(1)));
    StormPlan plan = StormPlan.azure(500, TurnstileFixtures.SHIPPED, outage);

    StormBooks books = new Storm(plan, 1).run(JUST_BEFORE_ITS_END);

    int inFlight = TurnstileFixtures.SHIPPED.maxInFlight();
    assertThat(books.calls().size()).isBetween(10, inFlight + 10);
  }

  @Test
  void aSeedIsAHistory() {
    StormPlan plan = StormPlan.azure(50, TurnstileFixtures.SHIPPED, Weather.drizzle());
    Duration quarter = Duration.ofMinutes(15);

    StormBooks books = new Storm(plan, 7).run(quarter);

    assertThat(new Storm(plan, 7).run(quarter).calls()).isEqualTo(books.calls());
    assertThat(new Storm(plan, 8).run(quarter).calls()).isNotEqualTo(books.calls());
  }
}
