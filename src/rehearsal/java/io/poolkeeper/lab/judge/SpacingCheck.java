package io.poolkeeper.lab.judge;

import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks how far apart the writes of a pool are: the shortest spacing at least, which doubles with
 * each write that is accepted, so that only so many fit into an interval. The controller counts
 * from the end of a write to the sending of the next, which is never more than from arrival to
 * arrival.
 *
 * @param shortest between two writes
 */
public record SpacingCheck(Duration interval, Duration shortest) {
  /** Tolerance: a timer may fire a little early. */
  private static final Duration SKEW = Duration.ofMillis(50);

  /** A retry comes up to a tenth early. */
  private static final double EARLIEST_RETRY = 0.9;

  /**
   * The writes that came too soon after others, a line each; in order of time.
   *
   * @param requests accepted writes, and those that were refused and are to be tried again
   */
  public List<String> tooSoon(List<ArmRequest> requests) {
    List<String> wrong = new ArrayList<>();
    Map<PoolId, ArmRequest> last = new HashMap<>();
    Map<PoolId, Deque<Long>> accepted = new HashMap<>();
    int most = most();
    for (ArmRequest write : requests) {
      if (!write.accepted() && !(write.writesPool() && write.retriable())) {
        continue;
      }
      PoolId pool = write.pool().orElseThrow();
      ArmRequest before = last.put(pool, write);
      if (before != null) {
        long after = write.arrivedNanos() - before.arrivedNanos();
        if (after < least(before) - SKEW.toNanos()) {
          wrong.add("%s twice within %d ms".formatted(pool, after / 1_000_000));
        }
      }
      Deque<Long> times = accepted.computeIfAbsent(pool, any -> new ArrayDeque<>());
      if (write.accepted()) {
        times.addLast(write.arrivedNanos());
      }
      if (times.size() > most) {
        long after = times.getLast() - times.removeFirst();
        if (after < interval.toNanos() * EARLIEST_RETRY - SKEW.toNanos()) {
          wrong.add("%s %d times within %d ms".formatted(pool, most + 1, after / 1_000_000));
        }
      }
    }
    return wrong;
  }

  /** From a write to the next: if ARM refuses one and says a time, that one. */
  private double least(ArmRequest before) {
    if (!before.retriable()) {
      return shortest.toNanos();
    }
    return before
        .advice()
        .filter(any -> !before.accepted())
        .map(asked -> (double) asked.toNanos())
        .orElse(shortest.toNanos() * EARLIEST_RETRY);
  }

  /** The most accepted writes of a pool within any interval, retries included. */
  public int mostWithinInterval(List<ArmRequest> requests) {
    Map<PoolId, Deque<Long>> writes = new HashMap<>();
    int most = 0;
    for (ArmRequest request : requests.stream().filter(ArmRequest::accepted).toList()) {
      Deque<Long> recent =
          writes.computeIfAbsent(request.pool().orElseThrow(), any -> new ArrayDeque<>());
      recent.addLast(request.arrivedNanos());
      while (request.arrivedNanos() - recent.getFirst() >= interval.toNanos()) {
        recent.removeFirst();
      }
      most = Math.max(most, recent.size());
    }
    return most;
  }

  /** How many writes begin within an interval. */
  private int most() {
    int writes = 1;
    Duration spacing = shortest;
    for (Duration after = shortest; after.compareTo(interval) < 0; after = after.plus(spacing)) {
      spacing = spacing.multipliedBy(2);
      writes++;
    }
    return writes;
  }
}
