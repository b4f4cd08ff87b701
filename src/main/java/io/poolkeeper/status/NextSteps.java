package io.poolkeeper.status;

import io.poolkeeper.pool.PoolStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The next steps of a pool if nothing changes. */
public final class NextSteps {
  /** A step, and when it comes: as a time, empty if unknown, and in words. */
  public record Step(Optional<Instant> at, String when, String text, String note) {}

  /** A write of fewer milliseconds is not named. */
  private static final int SHORT = 100;

  private NextSteps() {}

  public static List<Step> of(PoolLine line, Surroundings around) {
    PoolStatus pool = line.status();
    List<Step> steps = new ArrayList<>();
    if (line.cause().isEmpty()) {
      steps.add(step("at once", "A change of endpoints is written", ""));
      return steps;
    }
    CauseText words = CauseText.of(line.cause().get());
    if (line.until().isPresent() && !words.until().isEmpty()) {
      String what = words.until().replaceFirst("^until ", "");
      String text = what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1);
      steps.add(new Step(line.until(), exactness(line), text, line.why()));
    }
    if (pool.state() != PoolStatus.State.WRITING
        && !(line.cause().get() instanceof Cause.WouldWrite)) {
      steps.add(step("then", "Reads the pool and writes it", mean(pool, around)));
    }
    if (!pool.activity().retries().isEmpty() || pool.state() == PoolStatus.State.FAILED) {
      steps.add(
          step(
              "if it fails",
              "It is tried again",
              "at most " + CauseText.REPAIR + " apart, without end"));
    }
    return steps;
  }

  private static String exactness(PoolLine line) {
    return switch (line.exactness()) {
      case EXACT -> "then";
      case LATEST -> "at the latest";
      case ESTIMATE -> "about";
    };
  }

  private static Step step(String when, String text, String note) {
    return new Step(Optional.empty(), when, text, note);
  }

  private static String mean(PoolStatus pool, Surroundings around) {
    return "only if it still differs"
        + around
            .meanWrite(pool.id())
            .filter(mean -> mean.toMillis() >= SHORT)
            .map(mean -> "; takes about %.1f s".formatted(mean.toMillis() / 1e3))
            .orElse("");
  }
}
