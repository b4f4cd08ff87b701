package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.status.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What shadow mode counts: one decision met after 15 s, one that is not met in time. */
class ShadowMetricsTest {
  @Test
  void counters_areThoseOfTheAnswer_andAreThereInWriteMode() {
    assertThat(series(Scene.empty(), Scene.NOW)).hasSize(9).allMatch(line -> line.endsWith(" 0.0"));

    assertThat(
            series(Scene.busy(), Scene.T0.plusSeconds(645)).filter(line -> !line.endsWith(" 0.0")))
        .containsExactlyInAnyOrder(
            "poolkeeper_would_write_total{kind=\"members\"} 2.0",
            "poolkeeper_would_write_total{kind=\"admin-state\"} 2.0",
            "poolkeeper_shadow_decisions_total{outcome=\"met\"} 1.0",
            "poolkeeper_shadow_decisions_total{outcome=\"not-met\"} 1.0");
  }

  private static Stream<String> series(Snapshot of, Instant now) {
    try (Metrics metrics = new Metrics(AdmissionLimits.SHIPPED, List.of(), () -> Instant.EPOCH)) {
      return metrics
          .scrape(of, now)
          .lines()
          .filter(line -> line.matches("poolkeeper_(would_write|shadow_decisions)_total.*"));
    }
  }
}
