package io.poolkeeper.simulation;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How many exchanges with ARM one process made, to hold against what its metrics say: each is
 * counted once, under its kind, with the status that arrived.
 */
final class CallLedger {
  private static final Pattern COUNT =
      Pattern.compile(
          "poolkeeper_arm_request_duration_seconds_count\\{call=\"(\\w+)\",status=\"(\\d+)\"} (\\d+)");

  private final Map<String, Long> sent = new TreeMap<>();
  private final Map<String, Long> arrived = new TreeMap<>();

  void sent(String kind) {
    sent.merge(kind, 1L, Long::sum);
  }

  void arrived(String kind, int status) {
    arrived.merge(kind + " " + status, 1L, Long::sum);
  }

  /**
   * What is wrong with the metrics.
   *
   * @param underWay how many exchanges may not be counted yet
   */
  Optional<String> wrong(String scrape, int underWay) {
    Map<String, Long> left = new TreeMap<>(sent);
    for (var found : COUNT.matcher(scrape).results().toList()) {
      long count = Long.parseLong(found.group(3));
      left.merge(found.group(1), -count, Long::sum);
      String answer = found.group(1) + " " + found.group(2);
      if (!found.group(2).equals("0") && count > arrived.getOrDefault(answer, 0L)) {
        return Optional.of("counts %d of %s, and %s arrived".formatted(count, answer, arrived));
      }
    }
    long uncounted = left.values().stream().mapToLong(Long::longValue).sum();
    boolean invented = left.values().stream().anyMatch(count -> count < 0);
    return invented || uncounted > underWay
        ? Optional.of("sent %s, and does not count %s".formatted(sent, left))
        : Optional.empty();
  }
}
