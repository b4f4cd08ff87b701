package io.poolkeeper.storm;

import io.poolkeeper.turnstile.TurnstileFixtures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * The scenario restart-storm at full length in virtual time: 500 pools on 10 load balancers, all
 * unlike their wish at the beginning, a tenth of the calls failing, a gate of 60 s two minutes
 * after the beginning, and a drain every five seconds of the first five minutes. Prints the figures
 * of 20 seeds for {@code docs/turnstile.md}.
 *
 * <pre>
 * mvn -q -B verify -Dquick
 * java -cp "target/test-classes:target/classes:target/lib/*" io.poolkeeper.storm.RestartStorm
 * </pre>
 */
final class RestartStorm {
  static final int POOLS = 500;
  static final int DRAINS = 60;
  static final Duration GATE_FROM = Duration.ofMinutes(2);
  static final Duration GATE_LENGTH = Duration.ofMinutes(1);
  private static final Duration DRAIN_EVERY = Duration.ofSeconds(5);
  private static final Duration WATCHED = Duration.ofHours(1);
  private static final int SEEDS = 20;

  private RestartStorm() {}

  /** What is left after an hour. */
  record End(StormBooks books, long restless, int overlaps, long lostTurns) {}

  static End run(long seed) {
    Weather weather = Weather.drizzle().gated(GATE_FROM, GATE_LENGTH);
    Storm storm = new Storm(StormPlan.azure(POOLS, TurnstileFixtures.SHIPPED, weather), seed);
    for (int drain = 0; drain < DRAINS; drain++) {
      storm.drainAt(DRAIN_EVERY.multipliedBy(drain), drain);
    }
    StormBooks books = storm.run(WATCHED);
    return new End(books, storm.restless(), storm.overlaps(), storm.lostTurns());
  }

  /** Prints the figures. */
  public static void main(String[] arguments) {
    List<End> ends = LongStream.rangeClosed(1, SEEDS).mapToObj(RestartStorm::run).toList();
    List<Double> waits = new ArrayList<>();
    ends.forEach(end -> waits.addAll(end.books().drainWaits()));
    waits.sort(null);
    say("PUTs per pool", ends.stream().mapToDouble(end -> end.books().amplification()).toArray());
    say("last pool s", ends.stream().mapToDouble(end -> end.books().slowest(0)).toArray());
    say("median pool s", ends.stream().mapToDouble(end -> end.books().median(0)).toArray());
    say("calls", ends.stream().mapToDouble(end -> end.books().calls().size()).toArray());
    say(
        "drain wait s (mean, p50, p99, max) %.1f %.1f %.1f %.1f"
            .formatted(
                waits.stream().mapToDouble(wait -> wait).average().orElseThrow(),
                waits.get(waits.size() / 2),
                waits.get(waits.size() * 99 / 100),
                waits.getLast()));
  }

  private static void say(String what, double... values) {
    if (values.length == 0) {
      System.out.println(what);
      return;
    }
    double sum = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      sum += value;
      most = Math.max(most, value);
    }
    System.out.println(
        String.format(Locale.ROOT, "%s: mean %.2f, worst %.2f", what, sum / values.length, most));
  }
}
