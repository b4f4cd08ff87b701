package io.poolkeeper.lab.judge;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks how far apart the accepted writes of a pool are: the shortest spacing at least, which
 * doubles with each write, so that only so many fit into an interval. The controller counts from
 * the end of a write to the sending of the next, which is never more than from arrival to arrival.
 *
 * @param shortest between two writes
 */
public record Spacing(Duration interval, Duration shortest) {
  /** Tolerance: a timer may fire a little early. */
  private static final Duration SKEW = Duration.ofMillis(50);

  /** A retry comes up to a tenth early. */
  private static final double EARLIEST_RETRY = 0.9;

  /** The accepted writes that came too soon after others, a line each; in order of time. */
  public List<String> tooSoon(List<ArmRequest> requests) {
    List<String> wrong = new ArrayList<>();
    Map<String, Deque<ArmRequest>> writes = new HashMap<>();
    int most = most();
    for (ArmRequest request : requests.stream().filter(ArmRequest::accepted).toList()) {
      String pool = request.loadBalancer().orElse("") + "/" + request.pool().orElse("");
      Deque<ArmRequest> last = writes.computeIfAbsent(pool, any -> new ArrayDeque<>());
      if (!last.isEmpty()) {
        long after = request.arrivedNanos() - last.getLast().arrivedNanos();
        double part = last.getLast().retriable() ? EARLIEST_RETRY : 1;
        if (after < shortest.toNanos() * part - SKEW.toNanos()) {
          wrong.add("%s twice within %d ms".formatted(pool, after / 1_000_000));
        }
      }
      last.addLast(request);
      if (last.size() > most) {
        long after = request.arrivedNanos() - last.removeFirst().arrivedNanos();
        if (after < interval.toNanos() * EARLIEST_RETRY - SKEW.toNanos()) {
          wrong.add("%s %d times within %d ms".formatted(pool, most + 1, after / 1_000_000));
        }
      }
    }
    return wrong;
  }

  /** The most accepted writes of a pool within any interval, retries included. */
  public int mostWithinInterval(List<ArmRequest> requests) {
    Map<String, Deque<Long>> writes = new HashMap<>();
    int most = 0;
    for (ArmRequest request : requests.stream().filter(ArmRequest::accepted).toList()) {
      String pool = request.loadBalancer().orElse("") + "/" + request.pool().orElse("");
      Deque<Long> recent = writes.computeIfAbsent(pool, any -> new ArrayDeque<>());
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
