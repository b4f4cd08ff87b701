package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.process.Entropy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The lab on the shipped defaults, without and with the latency of Azure. Takes minutes; the
 * reports in {@code target/lab-reports} have the figures, which are not checked.
 */
@Tag("full")
class ShippedIntervalLabIT {
  /** A tenth of the writes of a rolling restart. */
  private static final int MORE_READS = 3;

  @ParameterizedTest
  @CsvSource({
    "ROLLING_RESTART, FAST",
    "BURST, FAST",
    "ROLLING_RESTART, AZURE",
    "BURST, AZURE",
  })
  void theScenarioPassesOnTheShippedInterval(Scenario scenario, LatencyProfile profile)
      throws Exception {
    LabReport report = rehearse(scenario, profile);

    assertPassed(report);
    // A read per write. With Azure's latency a few more: of pools that another client's write keeps
    // busy, or that became correct while they waited for a permit.
    int more = profile == LatencyProfile.AZURE ? MORE_READS : 0;
    assertThat(report.arm().get() - report.arm().put()).isBetween(0, more);
  }

  /** A failed attempt has also read. */
  @ParameterizedTest
  @CsvSource({
    "THROTTLE, FAST",
    "CONFLICT, FAST",
    "RESTART_STORM, FAST",
    "SLOW_WRITE, AZURE",
    "THROTTLE, AZURE",
    "CONFLICT, AZURE",
    "RESTART_STORM, AZURE"
  })
  void theScenarioOfTroublePassesOnTheShippedInterval(Scenario scenario, LatencyProfile profile)
      throws Exception {
    LabReport report = rehearse(scenario, profile);

    assertPassed(report);
    assertThat(report.arm().get()).isGreaterThan(report.arm().put());
  }

  /** Thirty kills; the interval plays no part. */
  @Test
  void crashPasses() throws Exception {
    LabReport report = rehearse(Scenario.CRASH, LatencyProfile.FAST);

    assertPassed(report);
    assertThat(report.kills()).isEqualTo(30);
  }

  @Test
  void theTourTakesLessThanAMinute() throws Exception {
    LabReport report = rehearse(Scenario.TOUR, LatencyProfile.FAST);

    assertPassed(report);
    assertThat(report.durationMillis()).isLessThan(60_000);
  }

  private static LabReport rehearse(Scenario scenario, LatencyProfile profile) throws Exception {
    LabOptions options =
        new LabOptions(scenario, 1, Optional.empty(), profile, true, 0, Optional.empty(), 30);

    LabReport report;
    try (Lab lab = Lab.open(options, Entropy.seeded(1), line -> {})) {
      lab.startController();
      report = lab.rehearse();
    }

    Path reports = Files.createDirectories(Path.of("target", "lab-reports"));
    String name = scenario.title() + "-" + profile.name().toLowerCase(Locale.ROOT) + ".json";
    Files.writeString(reports.resolve(name), report.json());
    return report;
  }

  private static void assertPassed(LabReport report) {
    assertThat(report.checks()).allSatisfy(c -> assertThat(c.passed()).as("%s", c).isTrue());
    assertThat(report.intervalMillis()).isEqualTo(30_000);
  }
}
