package io.poolkeeper.lab.judge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks that writes came no faster than a token bucket allows (spec 3, rate limits).
 *
 * @param fromNanos the start, monotonic
 * @param initial tokens at the start
 * @param burst the bucket's capacity
 * @param perSecond the refill rate
 */
public record Pace(long fromNanos, int initial, int burst, double perSecond) {
  private static final double NANOS = Duration.ofSeconds(1).toNanos();
  private static final int SERVER_ERROR = 500;

  /**
   * Writes without a token, a line each. An in-call retry after a server error needs none, but
   * debits the bucket.
   */
  public List<String> tooMany(List<ArmRequest> requests) {
    List<String> wrong = new ArrayList<>();
    spend(requests, wrong);
    return wrong;
  }

  /** The fewest tokens that were left after a write, rounded down. */
  public int lowest(List<ArmRequest> requests) {
    return (int) Math.floor(spend(requests, new ArrayList<>()));
  }

  /** Spends a token for each write; returns the lowest level. */
  private double spend(List<ArmRequest> requests, List<String> wrong) {
    List<ArmRequest> writes =
        requests.stream()
            .filter(ArmRequest::writesPool)
            .sorted(Comparator.comparingLong(ArmRequest::arrivedNanos))
            .toList();
    Set<String> repeating = new HashSet<>();
    double tokens = initial;
    double lowest = initial;
    long last = fromNanos;
    for (ArmRequest write : writes) {
      tokens = Math.min(burst, tokens + (write.arrivedNanos() - last) / NANOS * perSecond);
      last = write.arrivedNanos();
      boolean repeated = repeating.remove(write.pool().orElse(""));
      if (tokens < 1 && !repeated) {
        wrong.add(
            "%s %.1f s after the start, when %.2f tokens were left"
                .formatted(write, (last - fromNanos) / NANOS, tokens));
      }
      tokens--;
      lowest = Math.min(lowest, tokens);
      if (write.status() >= SERVER_ERROR) {
        write.pool().ifPresent(repeating::add);
      }
    }
    return lowest;
  }
}
