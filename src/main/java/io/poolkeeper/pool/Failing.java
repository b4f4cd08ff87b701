package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a pool may differ from what is desired, and how often it failed.
 *
 * @param last the failure of the last attempt
 * @param failures attempts in a row that failed for good; the pace of repairs follows from it
 * @param expedited repairs that were made earlier because another pool recovered
 * @param touched when the last repair is or was due that comes earlier because a Service or a slice
 *     was touched; monotonic
 */
public record Failing(ArmFailure last, int failures, int expedited, Optional<Instant> touched) {
  /** An attempt failed, and a retry follows. */
  static Failing retried(Optional<Failing> before, ArmFailure failure) {
    return of(before, failure, 0);
  }

  /** An attempt failed for good: no retry follows. */
  static Failing failed(Optional<Failing> before, ArmFailure failure) {
    return of(before, failure, 1);
  }

  private static Failing of(Optional<Failing> before, ArmFailure failure, int more) {
    // No overflow: an attempt each 7.5 s makes a billion in two centuries.
    return new Failing(
        failure,
        before.map(Failing::failures).orElse(0) + more,
        before.map(Failing::expedited).orElse(0),
        before.flatMap(Failing::touched));
  }

  Failing expeditedOnce() {
    return new Failing(last, failures, expedited + 1, touched);
  }

  Failing touchedAt(Instant due) {
    return new Failing(last, failures, expedited, Optional.of(due));
  }
}
