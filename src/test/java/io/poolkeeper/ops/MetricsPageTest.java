package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.ops.Metrics.Outcome;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of metrics, docs/metrics.md and a scrape say the same. */
class MetricsPageTest {
  private static final Path PAGE = Path.of("docs", "metrics.md");

  /** The first table of the page. */
  private static final Pattern ROWS =
      Pattern.compile("(?<=\n\\|---\\|---\\|---\\|---\\|\n)(\\|.*\n)+");

  @Test
  void thePageIsRenderedFromTheTable() throws IOException {
    Path rendered = Path.of("target", "metrics.md");
    String rows =
        Arrays.stream(Metric.values())
            .map(metric -> metric.row() + "\n")
            .collect(Collectors.joining());
    Files.writeString(
        rendered, ROWS.matcher(Files.readString(PAGE)).replaceFirst(rows.replace("$", "\\$")));

    assertThat(PAGE)
        .as("if the table is right: cp %s %s", rendered, PAGE)
        .hasSameTextualContentAs(rendered);
  }

  @Test
  void noTextIsOfAMetricThatIsGone() {
    assertThat(MetricText.names())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Metric.values()).map(Metric::toString).toList());
  }

  @Test
  void aScrapeNamesTheMetricsOfTheTableAndTheirTypes() {
    List<String> table =
        Arrays.stream(Metric.values()).map(metric -> metric + " " + metric.type()).toList();

    assertThat(
            scrape(true)
                .lines()
                .filter(line -> line.matches("# TYPE (poolkeeper|cloudprovider|process)_.*"))
                .map(line -> line.substring("# TYPE ".length()))
                .filter(line -> !line.matches(".*_max gauge")))
        .containsExactlyInAnyOrderElementsOf(table);
  }

  @Test
  void everySeriesWhoseLabelsAreKnownIsThereFromTheStart() {
    String scrape = scrape(false);

    for (Metric metric : Metric.values()) {
      for (String[] values : metric.series()) {
        String labels =
            metric.tags(values).stream()
                .map(tag -> tag.getKey() + "=\"" + tag.getValue() + "\"")
                .collect(Collectors.joining(","));
        String suffix = metric.type() == Metric.Type.HISTOGRAM ? "_count" : "";
        assertThat(scrape)
            .contains("\n" + metric + suffix + (labels.isEmpty() ? " " : "{" + labels + "} "));
      }
    }
  }

  private static String scrape(boolean used) {
    try (Metrics metrics =
        new Metrics(AdmissionLimits.SHIPPED, List.of("freeze"), () -> Instant.EPOCH)) {
      metrics.eventsDropped(() -> 0);
      metrics.watches(Map::of);
      RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.SHIPPED);
      if (used) {
        LoadBalancerId at = RateLimiterDriver.pool("lb-1").loadBalancer();
        metrics.operation(at, true, Outcome.FAILED, Duration.ofSeconds(1));
        metrics.armAnswered("put", 200, Duration.ofSeconds(1));
      }
      return metrics.scrape(Statuses.withBinding(rateLimiter), rateLimiter.now());
    }
  }
}
