package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Why a pool may differ from what is desired, and how often it failed.
 *
 * @param last the failure of the last attempt
 * @param failures attempts in a row that failed for good; the pace of repairs follows from it
 * @param delay of the repair after the last of them; zero if there was none
 * @param expedited repairs that were made earlier because another pool recovered
 * @param touched when the last repair was due that a touched Service or slice brought forward;
 *     monotonic
 */
public record Failing(
    ArmFailure last, int failures, Duration delay, int expedited, Optional<Instant> touched) {
  /** An attempt failed, and a retry follows. */
  static Failing retried(Optional<Failing> before, ArmFailure failure) {
    return before
        .map(failing -> failing.failed(failure, failing.failures, failing.delay))
        .orElse(new Failing(failure, 0, Duration.ZERO, 0, Optional.empty()));
  }

  /** An attempt failed for good: no retry follows. */
  static Failing failed(
      Optional<Failing> before, ArmFailure failure, PoolLimits limits, RandomGenerator random) {
    Failing last = retried(before, failure);
    // No overflow: an attempt a second makes a billion in three decades.
    int failures = last.failures + 1;
    return last.failed(failure, failures, limits.repair(failures, last.delay, random));
  }

  private Failing failed(ArmFailure failure, int nextFailures, Duration nextDelay) {
    return new Failing(failure, nextFailures, nextDelay, expedited, touched);
  }

  Failing expeditedOnce() {
    return new Failing(last, failures, delay, expedited + 1, touched);
  }

  Failing touchedAt(Instant due) {
    return new Failing(last, failures, delay, expedited, Optional.of(due));
  }
}
