package io.poolkeeper.admission;

import io.poolkeeper.model.Range;
import io.poolkeeper.model.Truncated;
import java.time.Duration;

/**
 * The bounds of admission.
 *
 * @param maxDelay the longest delay that a check may ask for ({@code admission.max-delay}); a
 *     longer one is cut
 * @param checks how many a binding may list, and how many the cluster-wide defaults may be
 * @param messageLength of what is shown and written, in characters
 * @param retryCount the highest count of retries; counting stops there
 * @param cleanups how many deletions at once read a pool that no pattern allows them
 */
public record AdmissionLimits(
    Duration maxDelay, int checks, int messageLength, int retryCount, int cleanups) {
  public static final Range<Duration> MAX_DELAY =
      new Range<>(Duration.ofSeconds(1), Duration.ofDays(365));

  /** The shipped limits; three of them are in the schema, too. */
  public static final AdmissionLimits SHIPPED =
      new AdmissionLimits(Duration.ofDays(7), 16, 1_024, 1_000_000, 8);

  /** The limits of the schema, with this delay. */
  public AdmissionLimits(Duration maxDelay) {
    this(maxDelay, SHIPPED.checks, SHIPPED.messageLength, SHIPPED.retryCount, SHIPPED.cleanups);
  }

  public AdmissionLimits {
    MAX_DELAY.check("max delay", maxDelay);
    new Range<>(1, 64).check("checks", checks);
    new Range<>(1, 32_768).check("message length", messageLength);
    new Range<>(1, Integer.MAX_VALUE - 1).check("retry count", retryCount);
    new Range<>(1, 64).check("cleanups", cleanups);
  }

  String cut(String text) {
    return Truncated.to(messageLength, text, "…");
  }
}
