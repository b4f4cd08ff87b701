package io.poolkeeper.retry;

import java.time.Duration;

/**
 * How a delay is spread, so that many who failed together do not return together (spec 3, Jitter
 * strategies). Every kind still spreads when the delay is at its cap. The random number is an
 * argument: 0 (inclusive) to 1 (exclusive).
 */
public enum Jitter {
  /** Anything from none to the whole delay. */
  FULL {
    @Override
    Duration spread(Backoff backoff, int failures, Duration previous, double random) {
      return between(Duration.ZERO, backoff.doubled(failures), random);
    }
  },

  /** Half of the delay, and anything up to its other half. */
  EQUAL {
    @Override
    Duration spread(Backoff backoff, int failures, Duration previous, double random) {
      Duration whole = backoff.doubled(failures);
      return between(whole.dividedBy(2), whole, random);
    }
  },

  /** Anything from the least delay to three times the previous one, which is at least the least. */
  DECORRELATED {
    @Override
    Duration spread(Backoff backoff, int failures, Duration previous, double random) {
      Duration least = backoff.min();
      Duration most = (previous.compareTo(least) > 0 ? previous : least).multipliedBy(3);
      // Cut before the draw, not after it: else almost every draw would be the cap.
      return between(least, backoff.cut(most), random);
    }
  };

  /** The delay after a number of failures in a row and a previous delay. */
  abstract Duration spread(Backoff backoff, int failures, Duration previous, double random);

  private static Duration between(Duration from, Duration to, double random) {
    return from.plusNanos((long) ((to.toNanos() - from.toNanos()) * random));
  }
}
