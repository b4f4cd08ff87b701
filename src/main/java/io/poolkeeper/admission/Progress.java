package io.poolkeeper.admission;

import io.poolkeeper.model.Address;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * How far a binding's object follows what should be in it.
 *
 * @param inFlight the status that is being written, if it is one; present while any write is
 * @param refused the version for which a write was refused: another is on its way
 * @param reported what was written last
 * @param wroteAt when that was
 * @param notBefore when a write that failed may be repeated
 * @param failures in a row
 * @param doubt what a write leaves of the record that was begun and is not known to have failed
 */
record Progress(
    Optional<InFlight> inFlight,
    Optional<String> refused,
    Optional<BindingReport> reported,
    Instant wroteAt,
    Instant notBefore,
    int failures,
    Optional<Doubt> doubt) {
  static final Progress NONE =
      new Progress(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Instant.MIN,
          Instant.MIN,
          0,
          Optional.empty());

  /** A write that was begun for a version. */
  record InFlight(String version, Optional<BindingReport> report) {}

  /** What all writes have in common that were begun for a version. */
  record Doubt(String version, Set<Address> added) {
    Doubt {
      added = Set.copyOf(added);
    }
  }

  /** The part of a record that is there whether or not such a write has come through. */
  Set<Address> certain(String version, Set<Address> recorded) {
    Set<Address> certain = new HashSet<>(recorded);
    doubt
        .filter(one -> one.version().equals(version))
        .ifPresent(one -> certain.retainAll(one.added()));
    return certain;
  }

  boolean mayWrite(String version) {
    return inFlight.isEmpty() && !refused.equals(Optional.of(version));
  }

  /** When the next write may be, at a distance from the last one. */
  Instant next(Duration gap) {
    Instant spaced = wroteAt.equals(Instant.MIN) ? wroteAt : wroteAt.plus(gap);
    return spaced.isAfter(notBefore) ? spaced : notBefore;
  }

  Progress begin(String version, Optional<BindingReport> report) {
    InFlight begun = new InFlight(version, report);
    Optional<Doubt> next =
        report.map(one -> new Doubt(version, certain(version, one.added()))).or(() -> doubt);
    return new Progress(Optional.of(begun), refused, reported, wroteAt, notBefore, failures, next);
  }

  Progress done(Instant now) {
    Optional<BindingReport> written = inFlight.flatMap(InFlight::report).or(() -> reported);
    return new Progress(
        Optional.empty(), Optional.empty(), written, now, Instant.MIN, 0, Optional.empty());
  }

  Progress conflict() {
    return new Progress(
        Optional.empty(),
        inFlight.map(InFlight::version),
        reported,
        wroteAt,
        notBefore,
        failures,
        doubt);
  }

  /** What is there now is not known. */
  Progress failed(Instant now, Duration delay) {
    return new Progress(
        Optional.empty(), refused, Optional.empty(), wroteAt, now.plus(delay), failures + 1, doubt);
  }
}
