package io.poolkeeper.model;

/**
 * The range of a setting, both ends included: named to the user, and checked by the limits of a
 * core.
 */
public record Range<T extends Comparable<T>>(T min, T max) {
  public boolean has(T value) {
    return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
  }

  /**
   * Checks a value of limits, wherever they are built.
   *
   * @throws IllegalArgumentException if the value is outside
   */
  public void check(String what, T value) {
    if (!has(value)) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, not %s".formatted(what, min, max, value));
    }
  }
}
