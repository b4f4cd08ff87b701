package io.poolkeeper.lab.judge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Checks that no call came too early (spec 1, Retry Model and Retry Timing): after a failed
 * attempt, none of that pool before the time that ARM named, else before nine tenths of the
 * shortest spacing; after a throttle, no such reads or writes and no attempt of any pool, or of the
 * load balancer's pools if it was a lock.
 *
 * @param shortest the shortest time between two writes of a pool
 * @param onTheWay how long another pool's request may have been in flight when ARM refused
 * @param drains whether a request may belong to a drain, which is retried sooner
 */
public record RetryTiming(Duration shortest, Duration onTheWay, Predicate<ArmRequest> drains) {
  private static final double LEAST_PART = 0.9;
  private static final int SERVER_ERROR = 500;

  /** How soon a pool may be read whose last write has an unknown end. */
  private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

  /** Half of {@code admin-state.backoff.min}: its jitter is equal. */
  private static final Duration DRAIN_RETRY = Duration.ofMillis(500);

  /** Tolerance: the controller measures from the answer, and dates have a resolution of seconds. */
  private static final Duration SKEW = Duration.ofMillis(50);

  /** The calls that came too early, a line each. */
  public List<String> early(List<ArmRequest> requests) {
    List<ArmRequest> all =
        requests.stream().sorted(Comparator.comparingLong(ArmRequest::arrivedNanos)).toList();
    Set<ArmRequest> continuing = continuing(all);
    List<String> early = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      ArmRequest failed = all.get(i);
      if (failed.retriable() || failed.throttled()) {
        for (ArmRequest later : all.subList(i + 1, all.size())) {
          long after = later.arrivedNanos() - failed.arrivedNanos();
          boolean begins = !continuing.contains(later);
          if (after < wait(failed, later, begins) - SKEW.toNanos()) {
            early.add("%s %d ms after %s".formatted(later, after / 1_000_000, what(failed)));
          }
        }
      }
    }
    return early;
  }

  /**
   * Requests that begin no attempt: in-call retries after a server error, and reads of a pool whose
   * write may have been taken in spite of one.
   */
  private static Set<ArmRequest> continuing(List<ArmRequest> requests) {
    Set<ArmRequest> continuing = new HashSet<>();
    Map<String, ArmRequest> last = new HashMap<>();
    for (ArmRequest request : requests) {
      ArmRequest before = last.put(request.pool().orElse(""), request);
      if (before != null
          && before.status() >= SERVER_ERROR
          && (before.writes() || !request.writes())) {
        continuing.add(request);
      }
    }
    return continuing;
  }

  /**
   * The least nanoseconds between two requests; 0 if the failure does not concern the later one. An
   * attempt begins with a read, and does not begin while writes are refused.
   */
  private long wait(ArmRequest failed, ArmRequest later, boolean begins) {
    Optional<Duration> advice = failed.advice();
    if (failed.pool().isPresent() && failed.pool().equals(later.pool())) {
      boolean looks = accepted(failed) && !later.writes();
      Duration least = looks ? FIRST_LOOK : drains.test(later) ? drainRetry() : shortest;
      return advice.map(Duration::toNanos).orElse((long) (least.toNanos() * LEAST_PART));
    }
    boolean sameGate =
        failed.throttled()
            && (failed.writes() == later.writes() || (begins && later.pool().isPresent()))
            && (!failed.locked() || failed.loadBalancer().equals(later.loadBalancer()));
    long after = later.arrivedNanos() - failed.arrivedNanos();
    return sameGate && after > onTheWay.toNanos() ? advice.map(Duration::toNanos).orElse(0L) : 0;
  }

  private Duration drainRetry() {
    return shortest.compareTo(DRAIN_RETRY) < 0 ? shortest : DRAIN_RETRY;
  }

  /** Whether the write was accepted and only its end is missing, so that reads look for it. */
  private static boolean accepted(ArmRequest failed) {
    return failed.writes() && failed.status() / 100 == 2;
  }

  private static String what(ArmRequest failed) {
    return "%d %s to %s".formatted(failed.status(), failed.code(), failed);
  }
}
