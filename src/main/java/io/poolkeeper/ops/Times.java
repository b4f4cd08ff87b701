package io.poolkeeper.ops;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a time is written in JSON: ISO 8601 in UTC, to the millisecond. */
final class Times {
  private Times() {}

  static String iso(Instant at) {
    return at.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  static @Nullable String iso(Optional<Instant> at) {
    return at.map(Times::iso).orElse(null);
  }
}
