package io.poolkeeper.pool;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the bindings of a pool want it to be written (architecture, section 4, rule 5). Of several,
 * the most careful counts: any hold, the longest interval and the most retries. One that leaves a
 * number open asks for nothing there, and without any the configured one applies.
 *
 * @param held why members must not be written for now, for people; empty if they may
 * @param drainsHeld whether admin states must not be either; only while members are held
 * @param maxRetries instead of the configured one, as {@link PoolLimits} has it
 * @param interval the same
 */
public record Terms(
    Optional<String> held,
    boolean drainsHeld,
    Optional<Integer> maxRetries,
    Optional<Duration> interval) {
  public static final Terms NONE =
      new Terms(Optional.empty(), false, Optional.empty(), Optional.empty());

  public Terms {
    if (drainsHeld && held.isEmpty()) {
      throw new IllegalArgumentException("drains are held, and members are not");
    }
  }

  /** Of two bindings; the hold of this one is named. */
  public Terms and(Terms other) {
    return new Terms(
        held.or(other::held),
        drainsHeld || other.drainsHeld,
        most(maxRetries, other.maxRetries),
        most(interval, other.interval));
  }

  private static <T extends Comparable<T>> Optional<T> most(Optional<T> one, Optional<T> other) {
    return Stream.of(one, other).flatMap(Optional::stream).max(Comparator.naturalOrder());
  }
}
