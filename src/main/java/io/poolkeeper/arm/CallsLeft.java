package io.poolkeeper.arm;

import java.util.Optional;

/**
 * What ARM says is left of the subscription's quota for this identity: its headers {@code
 * x-ms-ratelimit-remaining-subscription-reads} and {@code -writes}, of the last answers that had
 * them.
 *
 * @param reads empty until ARM has said it
 * @param writes the same
 */
public record CallsLeft(Optional<Long> reads, Optional<Long> writes) {
  public static final CallsLeft UNKNOWN = new CallsLeft(Optional.empty(), Optional.empty());

  /** The numbers of a later answer, or these where it has none. */
  public CallsLeft and(CallsLeft later) {
    return new CallsLeft(later.reads().or(this::reads), later.writes().or(this::writes));
  }
}
