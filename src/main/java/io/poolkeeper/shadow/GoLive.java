package io.poolkeeper.shadow;

import java.time.Instant;
import java.util.Optional;

/**
 * The verdict of the comparison on going live. Poolkeeper is ready if at least one decision was
 * met, none was missed, and none is open for longer than a minute: the cloud provider writes twice
 * a minute. It is not ready while some pools cannot be compared. Decisions on what the cloud
 * provider never writes do not count.
 *
 * @param text the verdict and its reason
 * @param todo what to do next
 */
public record GoLive(boolean ready, String text, String todo) {
  /**
   * Weighs the comparison.
   *
   * @param problem why not all can be compared, as a sentence; empty if all can
   */
  public static GoLive of(ShadowComparison comparison, Optional<String> problem, Instant now) {
    long met = comparison.outcomes().count();
    long missed = comparison.notMet(now);
    long slow = comparison.slow(now);
    if (missed > 0) {
      return new GoLive(
          false,
          "Not yet: %s not met within %d min."
              .formatted(decisions(missed), Open.LONGEST.toMinutes()),
          "Look at each, here or in the log (outcome=would-write). If the cloud provider has lost"
              + " the change, it is right: go live all the same.");
    }
    if (slow > 0) {
      return new GoLive(
          false,
          "Not yet: %,d %s open for more than a minute."
              .formatted(slow, slow == 1 ? "decision is" : "decisions are"),
          "Wait until somebody else has written the same, at most 10 min.");
    }
    if (problem.isPresent()) {
      return new GoLive(
          false,
          "Not yet: not all can be compared. " + problem.get(),
          "See `./poolkeeper status`, and end that first.");
    }
    if (met == 0) {
      return new GoLive(
          false,
          "Not yet: no decision was met so far.",
          "Let the cluster change: restart a workload behind a local Service, then wait a minute.");
    }
    return new GoLive(
        true,
        "Ready to go live: %s met, and none was not.".formatted(decisions(met)),
        "Run `./poolkeeper doctor`, then follow part 2 of docs/topics/try-safely.md.");
  }

  private static String decisions(long count) {
    return count == 1 ? "1 decision was" : "%,d decisions were".formatted(count);
  }
}
