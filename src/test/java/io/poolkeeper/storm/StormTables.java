package io.poolkeeper.storm;

import io.poolkeeper.storm.Weather.Answer;
import io.poolkeeper.turnstile.TurnstileFixtures;
import io.poolkeeper.turnstile.TurnstileLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * The tables of {@code docs/turnstile.md}: an outage of ten minutes that begins when all pools are
 * unlike their wish. Each figure is the mean of 20 storms of different seeds.
 *
 * <pre>
 * mvn -q -B verify -Dquick
 * java -cp "target/test-classes:target/classes:target/lib/*" io.poolkeeper.storm.StormTables
 * </pre>
 */
final class StormTables {
  static final Duration OUTAGE = Duration.ofMinutes(10);

  /** Long enough for the slowest pool of the slowest row. */
  private static final Duration WATCHED = Duration.ofHours(1);

  private static final int SEEDS = 20;
  private static final List<Integer> POOLS = List.of(20, 100, 500);

  private StormTables() {}

  /** A row: what it is called and what it is made of. */
  record Row(String name, StormPlan plan) {}

  /** The mean of several storms. */
  record Figures(
      double calls,
      double peakDuring,
      double peakAfter,
      double slowest,
      double median,
      double lastFirstAttempt) {}

  /** Prints all tables. */
  public static void main(String[] arguments) {
    table("503", Answer.status(503));
    table("429 without Retry-After", Answer.status(429));
    table("429 with Retry-After: 60", Answer.throttled(Duration.ofMinutes(1)));
  }

  /** The rows of one size; only the last two where ARM itself says when it takes calls again. */
  static List<Row> rows(int pools, Answer answer) {
    Weather weather = Weather.outage(OUTAGE, answer);
    List<Row> rows = new ArrayList<>();
    if (answer.retryAfter().isEmpty()) {
      gate(rows, pools, answer, 4, 8);
      gate(rows, pools, answer, 2, 20);
      if (pools == 100) {
        gate(rows, pools, answer, 10, 20);
      }
    }
    TurnstileLimits shipped = TurnstileFixtures.SHIPPED;
    rows.add(new Row("as shipped", StormPlan.instant(pools, shipped, weather)));
    rows.add(new Row("as shipped, Azure's latency", StormPlan.azure(pools, shipped, weather)));
    return rows;
  }

  /** Where a failed call is repeated inside the call, also without that. */
  private static void gate(List<Row> rows, int pools, Answer answer, int perSecond, int burst) {
    Row row = gate(pools, answer, perSecond, burst);
    if (answer.status() == 429) {
      rows.add(row);
    } else {
      rows.add(new Row(row.name() + ", no repetition", row.plan().repeating(0)));
      rows.add(row);
    }
  }

  /** A row that compares with simulations of jitter. */
  static Row gate(int pools, Answer answer, int perSecond, int burst) {
    Weather weather = Weather.outage(OUTAGE, answer);
    return new Row(
        "%d/s, burst %d".formatted(perSecond, burst),
        StormPlan.instant(pools, StormPlan.gate(perSecond, burst), weather));
  }

  static Figures run(StormPlan plan, int seeds) {
    double end = OUTAGE.toSeconds();
    double forEver = WATCHED.toSeconds();
    List<StormBooks> storms =
        LongStream.rangeClosed(1, seeds)
            .mapToObj(seed -> new Storm(plan, seed).run(WATCHED))
            .toList();
    return new Figures(
        mean(storms, books -> books.callsBefore(end)),
        mean(storms, books -> books.peak(0, end)),
        mean(storms, books -> books.peak(end, forEver)),
        mean(storms, books -> books.slowest(end)),
        mean(storms, books -> books.median(end)),
        mean(storms, StormBooks::lastFirstAttempt));
  }

  private static double mean(List<StormBooks> storms, ToDoubleFunction<StormBooks> figure) {
    return storms.stream().mapToDouble(figure).average().orElseThrow();
  }

  private static void table(String title, Answer answer) {
    say("### " + title);
    say(
        "| pools | turnstile | calls | peak/s during | peak/s after | slowest s | median s"
            + " | last first attempt s |");
    say("|---|---|---|---|---|---|---|---|");
    for (int pools : POOLS) {
      for (Row row : rows(pools, answer)) {
        Figures is = run(row.plan(), SEEDS);
        say(
            String.format(
                Locale.ROOT,
                "| %d | %s | %.0f | %.0f | %.0f | %.1f | %.1f | %.1f |",
                pools,
                row.name(),
                is.calls(),
                is.peakDuring(),
                is.peakAfter(),
                is.slowest(),
                is.median(),
                is.lastFirstAttempt()));
      }
    }
    say("");
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
