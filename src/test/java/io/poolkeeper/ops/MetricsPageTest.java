package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.pool.Outcome;
import io.poolkeeper.turnstile.TurnstileDriver;
import io.poolkeeper.turnstile.TurnstileFixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/metrics.md lists every metric with its type and labels. */
class MetricsPageTest {
  private record Metric(String name, String type, Set<String> labels) {}

  private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  @Test
  void thePageAndAScrapeNameTheSameMetrics() throws IOException {
    assertThat(page()).isNotEmpty().containsExactlyInAnyOrderElementsOf(scraped());
  }

  private static List<Metric> page() throws IOException {
    return Files.readAllLines(Path.of("docs", "metrics.md")).stream()
        .filter(
            line -> line.startsWith("| `poolkeeper_") || line.startsWith("| `cloudprovider_azure_"))
        .map(line -> line.split("\\|", -1))
        .map(cells -> new Metric(first(cells[1]), cells[2].strip(), labels(cells[3])))
        .toList();
  }

  /** In each part, the first quoted word is a label, and the others are its values. */
  private static Set<String> labels(String cell) {
    return Arrays.stream(cell.split(";", -1))
        .filter(part -> part.contains("`"))
        .map(MetricsPageTest::first)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String first(String text) {
    return QUOTED.matcher(text).results().map(match -> match.group(1)).findFirst().orElseThrow();
  }

  private static List<Metric> scraped() {
    Map<String, String> types = new HashMap<>();
    Map<String, Set<String>> labels = new HashMap<>();
    String current = "";
    for (String line : scrape().lines().toList()) {
      String[] words = line.split(" ", -1);
      if (line.startsWith("# TYPE ")) {
        current = words[2];
        types.put(current, words[3]);
      } else if (!line.startsWith("#")) {
        Set<String> found = labels.computeIfAbsent(current, name -> new TreeSet<>());
        LABEL.matcher(line).results().map(MetricsPageTest::label).forEach(found::add);
        found.remove("le");
      }
    }
    return types.keySet().stream()
        .filter(name -> name.startsWith("poolkeeper_") || name.startsWith("cloudprovider_azure_"))
        .filter(name -> !name.endsWith("_max"))
        .map(name -> new Metric(name, types.get(name), labels.get(name)))
        .toList();
  }

  private static String label(MatchResult match) {
    return match.group(1);
  }

  private static String scrape() {
    try (Metrics metrics = new Metrics(AdmissionLimits.SHIPPED, List.of("freeze"))) {
      metrics.eventsDropped(() -> 0);
      metrics.poolFinished(Outcome.UPDATED, Duration.ofSeconds(1));
      metrics.adminStatesSet(TurnstileDriver.pool("lb-1"), Outcome.FAILED, Duration.ofSeconds(1));
      metrics.armAnswered("put", 200, Duration.ofSeconds(1));
      TurnstileDriver turnstile = new TurnstileDriver(TurnstileFixtures.SHIPPED);
      return metrics.scrape(Statuses.withBinding(turnstile), turnstile.now());
    }
  }
}
