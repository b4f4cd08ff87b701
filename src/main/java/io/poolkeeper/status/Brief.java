package io.poolkeeper.status;

import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Surroundings.InLine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The cause of one pool in some words, with its place in line. */
final class Brief {
  private Brief() {}

  static String of(Cause cause, PoolStatus pool, Optional<InLine> line) {
    String leaving = pool.difference().down() > 0 ? "Node leaving: " : "";
    String place =
        line.map(in -> "; " + ordinal(throttled(cause) ? in.of() : in.place()) + " in line")
            .orElse("");
    String words = words(cause);
    return (leaving.isEmpty() ? sentence(words) : leaving + words) + place;
  }

  private static boolean throttled(Cause cause) {
    return cause instanceof Cause.Throttled;
  }

  /** The reason that somebody gave, if there is one. */
  private static String words(Cause cause) {
    String why = CauseText.parameters(cause).getOrDefault("why", "");
    return why.isEmpty() ? CauseText.of(cause).because() : why;
  }

  private static String sentence(String words) {
    return words.isEmpty()
        ? ""
        : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private static String ordinal(int number) {
    boolean teen = number % 100 > 10 && number % 100 < 14;
    int last = teen ? 0 : number % 10;
    return number + (last < 1 || last > 3 ? "th" : List.of("st", "nd", "rd").get(last - 1));
  }
}
