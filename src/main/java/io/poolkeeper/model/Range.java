package io.poolkeeper.model;

/**
 * What a setting may be, both ends included: its section says it to the user, its limits keep it.
 */
public record Range<T extends Comparable<T>>(T min, T max) {
  public boolean has(T value) {
    return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
  }

  /**
   * Whatever builds limits keeps to it.
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
