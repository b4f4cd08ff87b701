package io.poolkeeper.admission;

import java.time.Duration;

/**
 * The bounds of admission.
 *
 * @param maxDelay the longest delay that a check may ask for ({@code admission.max-delay}), 1 s to
 *     365 days; a longer one is cut
 * @param checks how many a binding may list, and how many the cluster-wide defaults may be
 * @param messageLength of what is shown and written, in characters
 * @param retryCount where counting stops
 */
public record AdmissionLimits(Duration maxDelay, int checks, int messageLength, int retryCount) {
  private static final Duration LONGEST = Duration.ofDays(365);

  /** As shipped; the three numbers are the schema's, too. */
  public static final AdmissionLimits SHIPPED =
      new AdmissionLimits(Duration.ofDays(7), 16, 1_024, 1_000_000);

  /** With the numbers of the schema. */
  public AdmissionLimits(Duration maxDelay) {
    this(maxDelay, SHIPPED.checks, SHIPPED.messageLength, SHIPPED.retryCount);
  }

  public AdmissionLimits {
    if (maxDelay.compareTo(Duration.ofSeconds(1)) < 0 || maxDelay.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("max delay must be 1 s to 365 days, not " + maxDelay);
    }
    check("checks", checks, 64);
    check("message length", messageLength, 32_768);
    check("retry count", retryCount, Integer.MAX_VALUE - 1);
  }

  private static void check(String what, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException("%s must be 1 to %d, not %d".formatted(what, max, value));
    }
  }

  String cut(String text) {
    return text.length() <= messageLength ? text : text.substring(0, messageLength - 1) + "…";
  }
}
