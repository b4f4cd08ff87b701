package io.poolkeeper.retry;

import java.time.Duration;

/**
 * How a delay is spread, so that many who failed together do not return together (spec 3, Jitter
 * strategies). Every kind but {@link #NONE} still spreads when the delay is at its cap. The random
 * number is an argument: 0 (inclusive) to 1 (exclusive).
 */
public enum Jitter {
  /** The whole delay. */
  NONE {
    @Override
    Duration spread(Duration whole, Duration min, Duration previous, double random) {
      return whole;
    }
  },

  /** Anything from none to the whole delay. */
  FULL {
    @Override
    Duration spread(Duration whole, Duration min, Duration previous, double random) {
      return between(Duration.ZERO, whole, random);
    }
  },

  /** Half of the delay, and anything up to its other half. */
  EQUAL {
    @Override
    Duration spread(Duration whole, Duration min, Duration previous, double random) {
      return between(whole.dividedBy(2), whole, random);
    }
  },

  /** Anything from the least delay to three times the previous one. */
  DECORRELATED {
    @Override
    Duration spread(Duration whole, Duration min, Duration previous, double random) {
      return between(min, whole, random);
    }

    @Override
    Duration whole(Backoff backoff, int failures, Duration previous) {
      // Cut before the draw, not after it: else almost every draw would be the cap.
      return Backoff.least(backoff.max(), Backoff.most(backoff.min(), previous.multipliedBy(3)));
    }
  };

  /** A delay between bounds that follow from the whole one. */
  abstract Duration spread(Duration whole, Duration min, Duration previous, double random);

  /** The delay before it is spread. */
  Duration whole(Backoff backoff, int failures, Duration previous) {
    Duration whole = backoff.min();
    for (int i = 1; i < failures && whole.compareTo(backoff.max()) < 0; i++) {
      whole = whole.multipliedBy(2);
    }
    return Backoff.least(backoff.max(), whole);
  }

  private static Duration between(Duration from, Duration to, double random) {
    return from.plusNanos((long) ((to.toNanos() - from.toNanos()) * random));
  }
}
