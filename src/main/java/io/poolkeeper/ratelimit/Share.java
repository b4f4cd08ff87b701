package io.poolkeeper.ratelimit;

import java.math.BigInteger;

/**
 * A part of a whole, exact and in lowest terms, so that equal shares are equal objects.
 *
 * @param part 0 up to the whole
 * @param whole at least 1
 */
public record Share(int part, int whole) implements Comparable<Share> {
  public static final Share NONE = new Share(0, 1);

  public Share {
    if (part < 0 || whole < 1 || part > whole) {
      throw new IllegalArgumentException("no share: %d of %d".formatted(part, whole));
    }
    int common = BigInteger.valueOf(part).gcd(BigInteger.valueOf(whole)).intValueExact();
    part /= common;
    whole /= common;
  }

  /** 0 to 1, rounded to what a double can hold. */
  public double fraction() {
    return (double) part / whole;
  }

  @Override
  public int compareTo(Share other) {
    return Long.compare((long) part * other.whole, (long) other.part * whole);
  }
}
