package io.poolkeeper.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a number of runs found; the names of its members are a contract.
 *
 * @param sometimes in how many runs each mark was met, by its name
 * @param waits how long things were wrong
 * @param missed marks that so many runs should have met, and none did
 */
public record SimulationReport(
    long seeds,
    double virtualHours,
    List<Violation> violations,
    Map<String, Integer> sometimes,
    List<String> missed,
    Figures waits,
    long wallMillis) {
  /** Fewer runs may well miss a mark by chance. */
  private static final long ENOUGH_SEEDS = 200;

  /**
   * A run that broke a rule.
   *
   * @param options what the seed drew
   * @param events the last ones, a line each
   * @param replay the command that shows it again
   */
  public record Violation(
      String seed, String rule, String options, List<String> events, String replay) {}

  public SimulationReport {
    violations = List.copyOf(violations);
    sometimes = new TreeMap<>(sometimes);
    missed = List.copyOf(missed);
  }

  static List<String> missed(long seeds, Map<String, Integer> sometimes) {
    return Stream.of(RunMark.values())
        .map(RunMark::title)
        .filter(mark -> seeds >= ENOUGH_SEEDS && !sometimes.containsKey(mark))
        .toList();
  }

  public boolean passed() {
    return violations.isEmpty() && missed.isEmpty();
  }

  public String json() {
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a record that is no JSON", impossible);
    }
  }

  /** The same for people. */
  public List<String> table() {
    List<String> lines = new ArrayList<>();
    double seconds = Math.max(1, wallMillis) / 1_000.0;
    lines.add(
        String.format(
            Locale.ROOT,
            "%d seeds, %.1f virtual hours in %.1f s: %.1f hours per second",
            seeds,
            virtualHours,
            seconds,
            virtualHours / seconds));
    sometimes.forEach((mark, runs) -> lines.add("  %-32s in %d runs".formatted(mark, runs)));
    lines.add(
        "  wrong for %.1f h, %.1f h of it judged by the base alone; largest waits in s:"
            .formatted(waits.wrong() / 3.6e6, waits.byBaseAlone() / 3.6e6));
    waits
        .largest()
        .forEach((kind, millis) -> lines.add("    %-30s %8.1f".formatted(kind, millis / 1_000.0)));
    missed.forEach(mark -> lines.add("  FAILED: no run met " + mark));
    for (Violation violation : violations) {
      lines.add("");
      violation.events().forEach(event -> lines.add("  " + event));
      lines.add("  FAILED: seed %s: %s".formatted(violation.seed(), violation.rule()));
      lines.add("  drawn:  " + violation.options());
      lines.add("  replay: " + violation.replay());
    }
    lines.add(passed() ? "  passed" : "  FAILED");
    return lines;
  }
}
