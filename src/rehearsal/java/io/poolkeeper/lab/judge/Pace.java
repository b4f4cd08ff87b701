package io.poolkeeper.lab.judge;

import java.time.Duration;
import java.util.List;

/**
 * The token bucket of writes (spec 3, rate limits). Every write takes a token, in-call retries,
 * too.
 *
 * @param fromNanos the start, monotonic
 * @param initial tokens at the start
 * @param burst the bucket's capacity
 * @param perSecond the refill rate
 */
public record Pace(long fromNanos, int initial, int burst, double perSecond) {
  private static final double NANOS = Duration.ofSeconds(1).toNanos();

  /** The fewest tokens that were left after a write, rounded down; requests in order of time. */
  public int lowest(List<ArmRequest> requests) {
    double tokens = initial;
    double lowest = initial;
    long last = fromNanos;
    for (ArmRequest write : requests.stream().filter(ArmRequest::writesPool).toList()) {
      tokens = Math.min(burst, tokens + (write.arrivedNanos() - last) / NANOS * perSecond) - 1;
      last = write.arrivedNanos();
      lowest = Math.min(lowest, tokens);
    }
    return (int) Math.floor(lowest);
  }
}
