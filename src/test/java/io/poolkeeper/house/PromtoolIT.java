package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.ops.Metrics;
import io.poolkeeper.ops.Promtool;
import io.poolkeeper.ops.Statuses;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The alerts, as Prometheus itself understands them; needs what .ci/native/promtool fetches. */
@Tag("promtool")
class PromtoolIT {
  @Test
  void rules_areValid() throws Exception {
    assertThat(Promtool.run("check", "rules", "--lint-fatal", "prometheus-rules.yaml"))
        .contains("SUCCESS: 13 rules found");
  }

  @Test
  void alerts_fireWhenTheyShould() throws Exception {
    assertThat(Promtool.run("test", "rules", "prometheus-rules-test.yaml"))
        .contains("SUCCESS")
        .doesNotContain("FAILED");
  }

  /** But for the cloud provider's, which are not ours, and Java's, which are Micrometer's. */
  @Test
  void names_keepTheRulesOfPrometheus() throws Exception {
    try (Metrics metrics = new Metrics(AdmissionLimits.SHIPPED, List.of(), () -> Instant.EPOCH)) {
      metrics.eventsDropped(() -> 0);
      metrics.watches(Map::of);
      String scrape =
          metrics.scrape(
              Statuses.snapshot(
                  List.of(),
                  new Knowledge(Set.of(), Set.of(), true, true, Map.of(), Optional.empty()),
                  Optional.empty(),
                  NodesView.UNKNOWN,
                  BindingsView.NONE),
              Instant.EPOCH);
      Path file = Path.of("target", "scrape.txt");
      Files.write(
          file,
          scrape
              .lines()
              .filter(line -> line.matches("(# \\w+ )?(poolkeeper|process)_.*"))
              .toList());

      Process process = Promtool.start("check", "metrics").redirectInput(file.toFile()).start();

      assertThat(Promtool.output(process)).isEmpty();
    }
  }
}
