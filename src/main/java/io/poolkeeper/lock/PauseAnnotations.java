package io.poolkeeper.lock;

import io.poolkeeper.model.Pause;
import io.poolkeeper.model.Truncated;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes and reads the annotations that pause all replicas. A time that cannot be read, or that is
 * too far away, is no pause, and is reported. A time that has passed is no pause either, but no
 * mistake.
 */
public final class PauseAnnotations {
  static final String UNTIL = "poolkeeper.io/paused-until";
  static final String REASON = "poolkeeper.io/paused-reason";
  static final String DRAINS = "poolkeeper.io/paused-drains";

  /** The longest pause, so that a forgotten one ends. */
  public static final Duration LONGEST = Duration.ofDays(7);

  /** Characters of a reason that are kept. */
  public static final int REASON_LENGTH = 200;

  /** Characters of a bad value that are shown. */
  private static final int FOUND_LENGTH = 60;

  private PauseAnnotations() {}

  public static List<String> names() {
    return List.of(UNTIL, REASON, DRAINS);
  }

  /** The annotations of a pause. */
  public static Map<String, String> of(Instant until, String reason, boolean drains) {
    String end = until.truncatedTo(ChronoUnit.SECONDS).toString();
    return Map.of(UNTIL, end, REASON, reason, DRAINS, Boolean.toString(drains));
  }

  /** Those of the annotations that are about a pause. */
  static Map<String, String> own(Map<String, String> annotations) {
    return names().stream()
        .filter(annotations::containsKey)
        .collect(Collectors.toUnmodifiableMap(Function.identity(), annotations::get));
  }

  /** Reads the annotations; {@code now} is monotonic, and {@code wall} the time of day. */
  static PauseView read(Map<String, String> annotations, Instant now, Instant wall) {
    String text = annotations.get(UNTIL);
    if (text == null) {
      return PauseView.NONE;
    }
    Optional<Instant> until = time(text);
    if (until.isEmpty() || until.get().isAfter(wall.plus(LONGEST))) {
      String why = bad(UNTIL, text, "a time such as 2026-11-25T18:00:00Z, at most 7 days ahead");
      return new PauseView(Optional.empty(), Optional.of(why));
    }
    if (!until.get().isAfter(wall)) {
      return PauseView.NONE;
    }
    String drains = annotations.getOrDefault(DRAINS, "false");
    Pause pause =
        new Pause(
            until.get(),
            now.plus(Duration.between(wall, until.get())),
            cut(annotations.getOrDefault(REASON, ""), REASON_LENGTH),
            drains.equals("true"));
    boolean known = drains.equals("true") || drains.equals("false");
    return new PauseView(
        Optional.of(pause),
        known ? Optional.empty() : Optional.of(bad(DRAINS, drains, "true or false")));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text.trim()).toInstant());
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }

  private static String bad(String annotation, String found, String allowed) {
    return "annotation %s: found \"%s\"; allowed: %s"
        .formatted(annotation, cut(found, FOUND_LENGTH), allowed);
  }

  /** The text on one line, cut to a length. */
  private static String cut(String text, int length) {
    String line = text.replaceAll("\\p{Cntrl}", " ").strip();
    return Truncated.to(length, line, "…");
  }
}
