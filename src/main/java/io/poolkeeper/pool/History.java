package io.poolkeeper.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * The record of a pool's attempts. Times are monotonic.
 *
 * @param settledAt when the last attempt ended; an older listing is ignored
 * @param lastWrite when the last PUT was sent
 * @param spacing of its writes
 * @param damage by others
 * @param writes attempts that were reported as updated
 * @param failures attempts that were reported as failed
 * @param leftAlone why the pool is left alone, if it is; reported once
 */
record History(
    Optional<Instant> settledAt,
    Optional<Instant> lastWrite,
    Spacing spacing,
    Damage damage,
    long writes,
    long failures,
    Optional<String> leftAlone) {
  static final History NONE =
      new History(
          Optional.empty(), Optional.empty(), Spacing.NONE, Damage.NONE, 0, 0, Optional.empty());

  History settled(Instant now) {
    return new History(Optional.of(now), lastWrite, spacing, damage, writes, failures, leftAlone);
  }

  History wrote(Instant now) {
    return new History(settledAt, Optional.of(now), spacing, damage, writes, failures, leftAlone);
  }

  History with(Spacing next) {
    return new History(settledAt, lastWrite, next, damage, writes, failures, leftAlone);
  }

  History with(Damage next) {
    return new History(settledAt, lastWrite, spacing, next, writes, failures, leftAlone);
  }

  History counted(PoolEffect.Finish end) {
    return switch (end) {
      case PoolEffect.Updated u ->
          new History(settledAt, lastWrite, spacing, damage, writes + 1, failures, leftAlone);
      case PoolEffect.Failed f ->
          new History(settledAt, lastWrite, spacing, damage, writes, failures + 1, leftAlone);
    };
  }

  History leftAlone(Optional<String> why) {
    return new History(settledAt, lastWrite, spacing, damage, writes, failures, why);
  }
}
