package io.poolkeeper.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * How often in a row others damaged a pool: a listing showed it to differ from what is desired
 * although our own write, or a look, had left it as desired. They are in a row until the last look
 * after a repair has passed clean.
 *
 * @param inRow bounded: counted no further once repairs wait longest
 * @param intactSince since when the pool is known to be as desired; empty if it is not known
 */
record Damage(int inRow, Optional<Instant> intactSince) {
  static final Damage NONE = new Damage(0, Optional.empty());

  /** From which damage in a row on repairs wait. */
  static final int PATIENCE = 3;

  /** An attempt or a look found the pool as desired, or left it so. */
  Damage intact(Instant at) {
    return intactSince.isPresent() ? this : new Damage(inRow, Optional.of(at));
  }

  /** A look that began then found it as desired. */
  Damage clean(Instant startedAt, PoolLimits limits) {
    Damage seen = intact(startedAt);
    boolean lastLook =
        seen.intactSince
            .filter(since -> !startedAt.isBefore(since.plus(limits.lastLook())))
            .isPresent();
    return lastLook ? new Damage(0, seen.intactSince) : seen;
  }

  /** It may differ for a reason of our own. */
  Damage unknown() {
    return new Damage(inRow, Optional.empty());
  }

  /** A look found it different. That is damage only if it was as desired. */
  Damage different(PoolLimits limits) {
    boolean more = intactSince.isPresent() && !limits.longestWait(inRow);
    return new Damage(more ? inRow + 1 : inRow, Optional.empty());
  }
}
