package io.poolkeeper.lab;

import java.util.ArrayList;
import java.util.List;

/**
 * How fast changes were at ARM, apart from those that ARM made wait.
 *
 * @param tickMillis how long the same changes wait for one tick for all pools
 */
public record Speed(
    Spread afterQuietMillis,
    Spread insideIntervalMillis,
    Spread heldByArmMillis,
    Spread tickMillis) {

  /** In words; empty if nothing was measured. */
  List<String> words(long intervalMillis) {
    List<String> words = new ArrayList<>();
    say(words, afterQuietMillis, "after a quiet interval a change was at Azure within");
    say(words, insideIntervalMillis, "inside an interval within");
    say(words, heldByArmMillis, "of those that Azure made wait within");
    String tick =
        "with one tick every %.0f s for all pools it would be".formatted(intervalMillis / 1e3);
    say(words, tickMillis, tick);
    return words;
  }

  private static void say(List<String> words, Spread spread, String what) {
    if (spread.p50() != null && spread.p99() != null) {
      words.add(
          "%s %.1f s (half of %d), %.1f s (99 of 100)"
              .formatted(what, spread.p50() / 1e3, spread.count(), spread.p99() / 1e3));
    }
  }
}
