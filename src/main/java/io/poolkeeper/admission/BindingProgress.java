package io.poolkeeper.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the writes of one binding are.
 *
 * @param inFlight the write in flight, and its status if it has one
 * @param refused the version for which a write was refused: a newer one is on its way
 * @param reported the last status that was written
 * @param wroteAt when the last write ended, or began
 * @param notBefore when a write that failed may be repeated
 * @param failures in a row
 */
record BindingProgress(
    Optional<InFlight> inFlight,
    Optional<String> refused,
    Optional<BindingReport> reported,
    Instant wroteAt,
    Instant notBefore,
    int failures) {
  static final BindingProgress NONE =
      new BindingProgress(
          Optional.empty(), Optional.empty(), Optional.empty(), Instant.MIN, Instant.MIN, 0);

  /** A write that was begun for a version. */
  record InFlight(String version, Optional<BindingReport> report) {}

  boolean mayWrite(String version) {
    return inFlight.isEmpty() && !refused.equals(Optional.of(version));
  }

  /** The earliest time of the next write. */
  Instant earliest(Duration gap) {
    Instant spaced = wroteAt.equals(Instant.MIN) ? wroteAt : wroteAt.plus(gap);
    return spaced.isAfter(notBefore) ? spaced : notBefore;
  }

  /** A write began. Its begin counts, too, so that refused writes do not become ever faster. */
  BindingProgress begin(String version, Optional<BindingReport> report, Instant now) {
    InFlight begun = new InFlight(version, report);
    return new BindingProgress(Optional.of(begun), refused, reported, now, notBefore, failures);
  }

  BindingProgress done(Instant now) {
    Optional<BindingReport> written = inFlight.flatMap(InFlight::report).or(() -> reported);
    return new BindingProgress(Optional.empty(), Optional.empty(), written, now, Instant.MIN, 0);
  }

  BindingProgress conflict() {
    return new BindingProgress(
        Optional.empty(), inFlight.map(InFlight::version), reported, wroteAt, notBefore, failures);
  }

  /** A write failed, so the status in the object is unknown. */
  BindingProgress failed(Instant now, Duration delay) {
    return new BindingProgress(
        Optional.empty(), refused, Optional.empty(), wroteAt, now.plus(delay), failures + 1);
  }
}
