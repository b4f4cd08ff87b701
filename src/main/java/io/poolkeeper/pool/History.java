package io.poolkeeper.pool;

import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The record of a pool's attempts. Times are monotonic.
 *
 * @param lastWrite when the last write that ARM accepted has ended
 * @param spacing of the pool's writes
 * @param drift what others have changed in the pool
 * @param clear when the last GET under a permit began that showed no entry of the binding's mark
 */
record History(
    Freshness freshness,
    Optional<Instant> lastWrite,
    Spacing spacing,
    Drift drift,
    Counts counts,
    Optional<Instant> clear) {
  static final History NONE =
      new History(
          new Freshness(Optional.empty(), Optional.empty()),
          Optional.empty(),
          Spacing.NONE,
          Drift.NONE,
          new Counts(0, 0),
          Optional.empty());

  /**
   * How new the knowledge of the pool is. A view of a call that began before is ignored.
   *
   * @param settledAt when the last attempt ended
   * @param seenFrom when the call began that has shown the pool last
   */
  record Freshness(Optional<Instant> settledAt, Optional<Instant> seenFrom) {
    /** Whether a newer call has shown more than a call that began at that time. */
    boolean outdates(Instant from) {
      return Stream.of(settledAt, seenFrom)
          .flatMap(Optional::stream)
          .anyMatch(known -> known.isAfter(from));
    }
  }

  /**
   * How often attempts were reported.
   *
   * @param writes as updated
   * @param failures as failed
   */
  record Counts(long writes, long failures) {}

  History settled(Instant now) {
    return with(new Freshness(Optional.of(now), freshness.seenFrom));
  }

  /** A call that began at that time has shown the pool. */
  History seen(Instant from) {
    return with(new Freshness(freshness.settledAt, Optional.of(from)));
  }

  History with(Freshness next) {
    return new History(next, lastWrite, spacing, drift, counts, clear);
  }

  History wrote(Instant now) {
    return new History(freshness, Optional.of(now), spacing, drift, counts, clear);
  }

  History with(Spacing next) {
    return new History(freshness, lastWrite, next, drift, counts, clear);
  }

  History with(Drift next) {
    return new History(freshness, lastWrite, spacing, next, counts, clear);
  }

  History counted(PoolEffect.Finish end) {
    Counts next =
        switch (end) {
          case PoolEffect.Updated u -> new Counts(counts.writes + 1, counts.failures);
          case PoolEffect.Failed f -> new Counts(counts.writes, counts.failures + 1);
        };
    return new History(freshness, lastWrite, spacing, drift, next, clear);
  }

  /** A GET that began at that time showed no entry of the mark. */
  History withClear(Instant from) {
    return new History(freshness, lastWrite, spacing, drift, counts, Optional.of(from));
  }
}
