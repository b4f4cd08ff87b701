package io.poolkeeper.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a binding's object follows what should be in it.
 *
 * @param inFlight the status that is being written, if it is one; present while any write is
 * @param refused the version for which a write was refused: another is on its way
 * @param reported what was written last
 * @param notBefore when the next write may be, so that no checker makes a hot loop
 * @param failures in a row
 */
record Progress(
    Optional<InFlight> inFlight,
    Optional<String> refused,
    Optional<BindingReport> reported,
    Instant notBefore,
    int failures) {
  static final Progress NONE =
      new Progress(Optional.empty(), Optional.empty(), Optional.empty(), Instant.MIN, 0);

  /** A write that was begun for a version. */
  record InFlight(String version, Optional<BindingReport> report) {}

  boolean mayWrite(BindingView binding) {
    return inFlight.isEmpty() && !refused.equals(Optional.of(binding.version()));
  }

  Progress begin(BindingView binding, Optional<BindingReport> report) {
    InFlight begun = new InFlight(binding.version(), report);
    return new Progress(Optional.of(begun), refused, reported, notBefore, failures);
  }

  Progress done(Instant next) {
    Optional<BindingReport> written = inFlight.flatMap(InFlight::report).or(() -> reported);
    return new Progress(Optional.empty(), Optional.empty(), written, next, 0);
  }

  Progress conflict() {
    return new Progress(
        Optional.empty(), inFlight.map(InFlight::version), reported, notBefore, failures);
  }

  /** What is there now is not known. */
  Progress failed(Instant now, Duration delay) {
    return new Progress(Optional.empty(), refused, Optional.empty(), now.plus(delay), failures + 1);
  }
}
