package io.poolkeeper.config;

import static java.util.Map.entry;

import java.time.Duration;
import java.util.List;

/** Reads the section {@code turnstile} and checks the rules between its keys. */
record TurnstileSection(Values values) {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MOST_TOKENS = 100_000;

  Settings.Turnstile read() {
    return new Settings.Turnstile(
        writes(),
        new Settings.Reads(
            rate("turnstile.reads.rate"), values.integer("turnstile.reads.burst", 1, MOST_TOKENS)),
        early(),
        values.integer("turnstile.max-in-flight", 1, 1_000),
        values.duration("turnstile.turn-deadline", SECOND, Duration.ofMinutes(10)),
        values.duration("turnstile.settle-limit", SECOND, Duration.ofHours(1)),
        budget(),
        values.duration("turnstile.max-retry-after", SECOND, Duration.ofHours(24)));
  }

  private Settings.Writes writes() {
    int burst = values.integer("turnstile.writes.burst", 1, MOST_TOKENS);
    int reserve = values.integer("turnstile.writes.drain-reserve.burst", 1, MOST_TOKENS);
    return new Settings.Writes(
        rate("turnstile.writes.rate"),
        burst,
        initial("turnstile.writes", burst),
        reserve,
        initial("turnstile.writes.drain-reserve", reserve));
  }

  private Settings.Early early() {
    int burst = values.integer("turnstile.early.burst", 1, MOST_TOKENS);
    return new Settings.Early(
        rate("turnstile.early.rate"),
        burst,
        initial("turnstile.early", burst),
        values.thousandths("turnstile.early.share", 1));
  }

  /** Lowering the burst below a default initial value is an error that names both. */
  private int initial(String bucket, int burst) {
    String most = "%d, the value of %s.burst".formatted(burst, bucket);
    return values.integer(bucket + ".initial", 0, burst, most);
  }

  private Settings.Budget budget() {
    String key = "turnstile.retry-budget.";
    return new Settings.Budget(
        values.integer(key + "cap", 1, 1_000),
        values.duration(key + "ttl", SECOND, Duration.ofSeconds(60)),
        values.thousandths(key + "min-per-second", 100),
        values.integer(key + "percent", 0, 100_000),
        values.oneOf(
            key + "deposit", List.of(entry("success", false), entry("attempt", true)), false));
  }

  private int rate(String key) {
    return values.thousandths(key, 1_000);
  }
}
