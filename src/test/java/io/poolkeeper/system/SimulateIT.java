package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.simulation.RunMark;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Simulated hours by the packaged program. */
class SimulateIT {
  /** Minutes of CPU time, beside other test classes. */
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private static final int FEW = 3;
  private static final int MANY = 500;

  @TempDir private Path directory;

  /** The order of sets differs between processes, and once influenced the messages to pools. */
  @Test
  @Tag("full")
  void twoProcessesMakeTheSameRunOfASeed() throws Exception {
    assertThat(trace()).isEqualTo(trace()).anyMatch(line -> line.contains("process 1 begins"));
  }

  private List<String> trace() throws Exception {
    try (Program program =
        Program.start(directory, Map.of(), "simulate", "--from", "4", "--seeds", "1", "--trace")) {
      program.awaitEnd(PATIENCE);
      assertThat(program.exitCode()).isZero();
      return program.out().stream().filter(line -> !line.contains("virtual hours")).toList();
    }
  }

  @Test
  void hoursOfFaultsBreakNoRule() throws Exception {
    assertThat(simulate(1, FEW).path("sometimes")).isNotEmpty();
  }

  @Test
  @Tag("full")
  void manyHoursOfFaultsBreakNoRuleAndMeetEveryMark() throws Exception {
    JsonNode sometimes = simulate(FEW + 1, MANY - FEW).path("sometimes");

    assertThat(Arrays.stream(RunMark.values()).map(RunMark::title))
        .allSatisfy(mark -> assertThat(sometimes.path(mark).asInt()).isPositive());
  }

  private JsonNode simulate(int from, int seeds) throws Exception {
    Path report = directory.resolve("report.json");
    String[] command = {
      "simulate", "--from", "" + from, "--seeds", "" + seeds, "--report", report.toString()
    };
    try (Program program = Program.start(directory, Map.of(), command)) {
      program.awaitEnd(PATIENCE);
      assertThat(program.exitCode()).as("%s", program.out()).isZero();
    }
    JsonNode found = new ObjectMapper().readTree(report.toFile());
    assertThat(found.path("seeds").asInt()).isEqualTo(seeds);
    assertThat(found.path("virtualHours").asDouble()).isGreaterThanOrEqualTo(seeds);
    assertThat(found.path("violations")).isEmpty();
    return found;
  }
}
