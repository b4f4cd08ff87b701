package io.poolkeeper.armsim.throttle;

import io.poolkeeper.armsim.protocol.Members;

/**
 * The size and refill of a token bucket.
 *
 * @param burst the capacity
 * @param perSecond the refill per second
 */
public record Rate(int burst, int perSecond) {
  private static final int MAX = 1_000_000;

  public Rate {
    if (burst < 1 || burst > MAX || perSecond < 1 || perSecond > MAX) {
      throw new IllegalArgumentException(
          "burst and perSecond must be 1 to %d, found %d and %d".formatted(MAX, burst, perSecond));
    }
  }

  Rate changed(Members changes) {
    var after =
        new Rate(
            changes.number("burst", 1, MAX).orElse(burst),
            changes.number("perSecond", 1, MAX).orElse(perSecond));
    changes.checkUnknown();
    return after;
  }
}
