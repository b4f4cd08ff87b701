package io.poolkeeper.armsim.behavior;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The forms of {@code Retry-After} in answers with status 429. All were seen at Azure. */
public enum RetryAfterForm {
  SECONDS,
  /** A date in the format of RFC 1123. */
  DATE,
  ABSENT,
  ZERO;

  private static final String HEADER = "Retry-After";
  private static final long ALMOST_A_SECOND = 999_999_999L;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final DateTimeFormatter RFC_1123 =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  /** An answer whose header, if it has one, is in seconds, given this form. */
  public ArmAnswer applied(ArmAnswer answer, Instant now) {
    String seconds = answer.headers().get(HEADER);
    if (answer.status() != TOO_MANY_REQUESTS || seconds == null) {
      return answer;
    }
    return switch (this) {
      case SECONDS -> answer;
      case DATE -> answer.with(HEADER, date(now, Long.parseLong(seconds)));
      case ABSENT -> answer.without(HEADER);
      case ZERO -> answer.with(HEADER, "0");
    };
  }

  /** The date so many seconds from now, rounded up to a second. */
  public static String date(Instant now, long seconds) {
    return RFC_1123.format(now.plusSeconds(seconds).plusNanos(ALMOST_A_SECOND));
  }
}
