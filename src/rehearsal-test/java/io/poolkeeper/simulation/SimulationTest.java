package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Some runs, and what is said of them. */
class SimulationTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final SeededSystem system = new SeededSystem();

  @AfterEach
  void close() {
    system.close();
  }

  @Test
  @Tag("full")
  void someHoursOfTroubleBreakNoRule() throws InterruptedException {
    SimulationReport report =
        Simulation.run(new Simulation.Options(1_001, 2, HOUR), System::nanoTime, line -> {});

    assertThat(report.violations()).isEmpty();
    assertThat(report.seeds()).isEqualTo(2);
    assertThat(report.virtualHours()).isGreaterThanOrEqualTo(2);
    assertThat(report.sometimes()).containsKey("settling");
  }

  @Test
  void differentSeedsAreDifferentRuns() {
    assertThat(Run.of(system, 5, HOUR, line -> {}).hash())
        .isNotEqualTo(Run.of(system, 6, HOUR, line -> {}).hash());
  }

  @Test
  void missed_manySeedsWithoutAMark_namesIt() {
    assertThat(SimulationReport.missed(200, Map.of()))
        .hasSize(RunMark.values().length)
        .contains("retryBudgetEmpty");
    assertThat(SimulationReport.missed(199, Map.of())).isEmpty();
  }
}
