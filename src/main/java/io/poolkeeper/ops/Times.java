package io.poolkeeper.ops;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** How a time is written in JSON: ISO 8601 in UTC, to the millisecond. */
final class Times {
  private Times() {}

  static String iso(Instant at) {
    return at.truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
