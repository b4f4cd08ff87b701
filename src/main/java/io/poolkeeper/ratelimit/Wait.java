package io.poolkeeper.ratelimit;

import java.time.Instant;

/**
 * Why a request waits, and until when.
 *
 * @param why the first of the obstacles in its way
 * @param until when that obstacle ends by itself, at the latest; {@link Instant#MAX} if unknown
 * @param from when the last of the obstacles has ended, if nothing else happens
 */
record Wait(Obstacle why, Instant until, Instant from) {
  /** Nothing is in the way. */
  static Wait none(Instant now) {
    return new Wait(Obstacle.NEXT, Instant.MAX, now);
  }

  boolean isOver() {
    return why == Obstacle.NEXT;
  }

  /** This wait, and after it another obstacle that ends by time alone. */
  Wait then(Obstacle next, Instant end, Instant now) {
    return thenIf(end.isAfter(now), next, end);
  }

  Wait thenIf(boolean inTheWay, Obstacle next, Instant end) {
    if (!inTheWay) {
      return this;
    }
    Instant last = later(end, from);
    return isOver() ? new Wait(next, end, last) : new Wait(why, until, last);
  }

  static Instant later(Instant first, Instant second) {
    return first.isAfter(second) ? first : second;
  }
}
