package io.poolkeeper.arm.azure;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The wait that a {@code Retry-After} header asks for: a number of seconds or a date (RFC 9110,
 * 10.2.3). It is cut to the range from none to a maximum.
 *
 * @param delay 0 to the maximum
 * @param clamped whether the header asked for a time outside of that range
 */
record RetryAfter(Duration delay, boolean clamped) {
  private static final Pattern SECONDS = Pattern.compile("[+-]?\\d{1,1000}");

  /** Reads a header, whose date is compared with {@code wallNow}; empty if it has neither form. */
  static Optional<RetryAfter> parse(String header, Instant wallNow, Duration max) {
    String text = header.trim();
    if (SECONDS.matcher(text).matches()) {
      BigInteger seconds = new BigInteger(text);
      // The bound keeps all later numbers from overflow.
      BigInteger bounded =
          seconds.min(BigInteger.valueOf(Integer.MAX_VALUE)).max(BigInteger.ONE.negate());
      return Optional.of(of(Duration.ofSeconds(bounded.longValueExact()), max));
    }
    try {
      Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
      return Optional.of(of(Duration.between(wallNow, date), max));
    } catch (DateTimeException neither) {
      return Optional.empty();
    }
  }

  private static RetryAfter of(Duration asked, Duration max) {
    if (asked.isNegative()) {
      return new RetryAfter(Duration.ZERO, true);
    }
    return asked.compareTo(max) > 0 ? new RetryAfter(max, true) : new RetryAfter(asked, false);
  }
}
