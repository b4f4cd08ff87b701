package io.poolkeeper.pool;

import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The record of a pool's attempts. Times are monotonic.
 *
 * @param settledAt when the last attempt ended; an older view is ignored
 * @param seenFrom when the call began that has shown the pool last; as above
 * @param lastWrite when the last write that ARM accepted has ended
 * @param spacing of its writes
 * @param drift what others have changed in the pool
 * @param writes attempts that were reported as updated
 * @param failures attempts that were reported as failed
 * @param clear when the last GET under a turn began that showed no entry of the binding's mark
 */
record History(
    Optional<Instant> settledAt,
    Optional<Instant> seenFrom,
    Optional<Instant> lastWrite,
    Spacing spacing,
    Drift drift,
    long writes,
    long failures,
    Optional<Instant> clear) {
  static final History NONE =
      new History(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Spacing.NONE,
          Drift.NONE,
          0,
          0,
          Optional.empty());

  History settled(Instant now) {
    return new History(
        Optional.of(now), seenFrom, lastWrite, spacing, drift, writes, failures, clear);
  }

  /** A call that began at that time has shown the pool. */
  History seen(Instant from) {
    Optional<Instant> seen = Optional.of(from);
    return new History(settledAt, seen, lastWrite, spacing, drift, writes, failures, clear);
  }

  /** With the times of another one at which nothing may have changed. */
  History at(History other) {
    return new History(
        other.settledAt, other.seenFrom, lastWrite, spacing, drift, writes, failures, clear);
  }

  /** Whether a newer call has shown more than a call that began at that time. */
  boolean outdates(Instant from) {
    return Stream.of(settledAt, seenFrom)
        .flatMap(Optional::stream)
        .anyMatch(known -> known.isAfter(from));
  }

  History wrote(Instant now) {
    return new History(
        settledAt, seenFrom, Optional.of(now), spacing, drift, writes, failures, clear);
  }

  History with(Spacing next) {
    return new History(settledAt, seenFrom, lastWrite, next, drift, writes, failures, clear);
  }

  History with(Drift next) {
    return new History(settledAt, seenFrom, lastWrite, spacing, next, writes, failures, clear);
  }

  History counted(PoolEffect.Finish end) {
    return switch (end) {
      case PoolEffect.Updated u -> counting(writes + 1, failures);
      case PoolEffect.Failed f -> counting(writes, failures + 1);
    };
  }

  private History counting(long good, long bad) {
    return new History(settledAt, seenFrom, lastWrite, spacing, drift, good, bad, clear);
  }

  /** A GET that began at that time showed no entry of the mark. */
  History clear(Instant from) {
    Optional<Instant> at = Optional.of(from);
    return new History(settledAt, seenFrom, lastWrite, spacing, drift, writes, failures, at);
  }
}
