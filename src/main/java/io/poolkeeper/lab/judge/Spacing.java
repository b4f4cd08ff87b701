package io.poolkeeper.lab.judge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that no pool is written twice within an interval. The controller counts from the sending
 * of a write, which is after its read and before its arrival: on a busy machine the two are far
 * apart, and then the read counts.
 *
 * @param latency whether the simulator delays its answers, so that the distance of read and write
 *     says nothing about the machine
 */
public record Spacing(Duration interval, boolean latency) {
  /** Tolerance: two writes may arrive a little closer than they were sent. */
  private static final Duration SKEW = Duration.ofMillis(50);

  /** The accepted writes that came too soon after another one, a line each; in order of time. */
  public List<String> tooSoon(List<ArmRequest> requests) {
    List<String> wrong = new ArrayList<>();
    Map<String, Long> reads = new HashMap<>();
    Map<String, ArmRequest> writes = new HashMap<>();
    Map<String, Long> onTheWay = new HashMap<>();
    for (ArmRequest request : requests) {
      String pool = request.loadBalancer().orElse("") + "/" + request.pool().orElse("");
      if (request.readsPool()) {
        reads.put(pool, request.arrivedNanos());
      } else if (request.accepted()) {
        ArmRequest before = writes.put(pool, request);
        long after = before == null ? 0 : request.arrivedNanos() - before.arrivedNanos();
        long tolerance = Math.max(SKEW.toNanos(), onTheWay.getOrDefault(pool, 0L));
        if (before != null && after < interval.toNanos() - tolerance) {
          wrong.add("%s twice within %d ms".formatted(pool, after / 1_000_000));
        }
        long read = reads.getOrDefault(pool, request.arrivedNanos());
        onTheWay.put(pool, latency ? 0L : request.arrivedNanos() - read);
      }
    }
    return wrong;
  }
}
