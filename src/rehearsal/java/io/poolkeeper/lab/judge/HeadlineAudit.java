package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rule that the page never says that all is well while a pool is wrong for 10 s more than its
 * base, 5 s for members and 3 s for admin states. What was wrong when others wrote last counts from
 * the next listing on. Nothing else is an excuse: what keeps the controller from mending a pool is
 * a cause to show. Used by one thread.
 */
public final class HeadlineAudit {
  private static final Duration MEMBERS = Duration.ofSeconds(15);
  private static final Duration STATES = Duration.ofSeconds(13);

  /** Looks that are further apart say nothing of the time between them. */
  private static final Duration GAP = Duration.ofSeconds(5);

  /** When each line of the verdicts was first there without a gap; monotonic. */
  private final Map<String, Long> since = new HashMap<>();

  private long last;

  private final Set<String> found = new TreeSet<>();

  /** What was wrong while the page said that all is well, a line each. */
  public List<String> found() {
    return List.copyOf(found);
  }

  /**
   * What is so at one time, monotonic.
   *
   * @param status of a controller that answers
   * @param poolless Services that want a pool and have none; a cause must name each
   * @param shownNanos when the controller could last come to know what others have written
   */
  public void look(
      JsonNode status, Judge.Verdict verdict, List<String> poolless, long shownNanos, long now) {
    List<String> wrong = new ArrayList<>(verdict.all());
    poolless.stream()
        .filter(service -> !status.path("causes").toString().contains(service))
        .forEach(service -> wrong.add(service + " has no pool"));
    since.keySet().retainAll(now - last > GAP.toNanos() ? List.of() : wrong);
    last = now;
    wrong.forEach(line -> since.putIfAbsent(line, now));
    JsonNode headline = status.path("headline");
    if (status.path("leads").asBoolean() && headline.path("tone").asText().equals("ok")) {
      since.forEach(
          (line, at) -> {
            Duration bound = verdict.states().lines().contains(line) ? STATES : MEMBERS;
            if (now - Math.max(at, shownNanos) > bound.toNanos()) {
              found.add("%s, but %s".formatted(headline.path("text").asText(), line));
            }
          });
    }
  }
}
