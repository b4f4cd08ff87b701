package io.poolkeeper.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Times as a person reads them, by the server's clock; {@code now} is the time of the answer. */
record Moments(Instant now) {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);
  private static final Duration FAR = Duration.ofHours(20);

  static Moments of(JsonNode answer) {
    return new Moments(Instant.parse(answer.path("now").asText()));
  }

  /** {@code 14:02:31}, or with its day if it is far away; empty if there is no time. */
  String clock(JsonNode iso) {
    return instant(iso)
        .map(
            at ->
                Duration.between(now, at).abs().compareTo(FAR) > 0
                    ? DAY.format(at)
                    : CLOCK.format(at))
        .orElse("");
  }

  /** How long ago, {@code 24 s}; empty if there is no time. */
  String age(JsonNode iso) {
    return instant(iso).map(at -> text(Duration.between(at, now))).orElse("");
  }

  /** {@code in 18 s}, {@code in about 18 s}, or {@code within 18 s}; empty if there is no time. */
  String left(JsonNode iso, JsonNode exactness) {
    String in =
        switch (exactness.asText("exact")) {
          case "estimate" -> "in about ";
          case "latest" -> "within ";
          default -> "in ";
        };
    return instant(iso)
        .map(at -> at.isAfter(now) ? in + text(Duration.between(now, at)) : "now")
        .orElse("");
  }

  private static Optional<Instant> instant(JsonNode iso) {
    return Optional.of(iso).filter(JsonNode::isTextual).map(text -> Instant.parse(text.asText()));
  }

  /** Two parts at most: {@code 3 d 4 h}, {@code 2 h 5 min}, {@code 4 min 10 s}, {@code 0.4 s}. */
  private static String text(Duration given) {
    Duration time = given.isNegative() ? Duration.ZERO : given;
    if (time.toSeconds() < 1) {
      return "%.1f s".formatted(time.toMillis() / 1e3);
    }
    if (time.toMinutes() < 1) {
      return time.toSeconds() + " s";
    }
    if (time.toHours() < 1) {
      return two(time.toMinutes() + " min", time.toSecondsPart(), "s");
    }
    return time.toDays() < 1
        ? two(time.toHours() + " h", time.toMinutesPart(), "min")
        : two(time.toDays() + " d", time.toHoursPart(), "h");
  }

  private static String two(String first, int rest, String unit) {
    return rest == 0 ? first : first + " " + rest + " " + unit;
  }
}
