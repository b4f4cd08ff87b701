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
 * @param retryCount where counting stops
 */
public record AdmissionLimits(Duration maxDelay, int checks, int messageLength, int retryCount) {
  public static final Range<Duration> MAX_DELAY =
      new Range<>(Duration.ofSeconds(1), Duration.ofDays(365));

  /** The shipped limits; three of them are in the schema, too. */
  public static final AdmissionLimits SHIPPED =
      new AdmissionLimits(Duration.ofDays(7), 16, 1_024, 1_000_000);

  /** The limits of the schema, with this delay. */
  public AdmissionLimits(Duration maxDelay) {
    this(maxDelay, SHIPPED.checks, SHIPPED.messageLength, SHIPPED.retryCount);
  }

  public AdmissionLimits {
    MAX_DELAY.check("max delay", maxDelay);
    new Range<>(1, 64).check("checks", checks);
    new Range<>(1, 32_768).check("message length", messageLength);
    new Range<>(1, Integer.MAX_VALUE - 1).check("retry count", retryCount);
  }

  String cut(String text) {
    return Truncated.to(messageLength, text, "…");
  }
}
