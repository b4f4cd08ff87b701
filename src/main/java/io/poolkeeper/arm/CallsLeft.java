package io.poolkeeper.arm;

import java.util.Optional;

/**
 * The calls that ARM says this identity has left in the subscription's quota, from the last answers
 * with the headers {@code x-ms-ratelimit-remaining-subscription-reads} and {@code -writes}.
 *
 * @param reads empty until ARM has said it
 * @param writes empty until ARM has said it
 */
public record CallsLeft(Optional<Long> reads, Optional<Long> writes) {
  public static final CallsLeft UNKNOWN = new CallsLeft(Optional.empty(), Optional.empty());

  /** The numbers of a later answer, or these where it has none. */
  public CallsLeft and(CallsLeft later) {
    return new CallsLeft(later.reads().or(this::reads), later.writes().or(this::writes));
  }
}
