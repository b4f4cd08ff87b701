package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.simulation.Mark;
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

  /** They always run, and between them meet every mark. */
  private static final long FIXED = 100;

  /** It takes half an hour without a pool: one run in fifty. */
  private static final String RARE = Mark.DELETION_GIVEN_UP.title();

  /** Further ones run as long as this is not used up, by the CPU time that the fixed ones took. */
  private static final Duration CPU = Duration.ofMinutes(2);

  private static final long MOST = 500;

  /** What a number of seeds found, and the CPU time it took. */
  private record Simulated(JsonNode found, Duration cpu) {}

  @TempDir private Path directory;

  /** The order of sets differs between processes, and once influenced the messages to pools. */
  @Test
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
  void hoursOfFaultsBreakNoRuleAndMeetEveryMark() throws Exception {
    Simulated fixed = simulate(1, FIXED);

    assertThat(Arrays.stream(Mark.values()).map(Mark::title).filter(mark -> !mark.equals(RARE)))
        .allSatisfy(
            mark -> assertThat(fixed.found().path("sometimes").path(mark).asInt()).isPositive());
    long each = Math.max(1, fixed.cpu().toMillis() / FIXED);
    long further = Math.clamp(CPU.toMillis() / each, FIXED, MOST) - FIXED;
    if (further > 0) {
      simulate(FIXED + 1, further);
    }
    System.out.printf("simulated %d seeds, %d ms of CPU time each%n", FIXED + further, each);
  }

  @Test
  @Tag("full")
  void furtherHoursOfFaultsBreakNoRule() throws Exception {
    Simulated further = simulate(FIXED + 1, MOST - FIXED);

    assertThat(further.found().path("sometimes").path(RARE).asInt()).isPositive();
  }

  private Simulated simulate(long from, long seeds) throws Exception {
    Path report = directory.resolve("report.json");
    String[] command = {
      "simulate", "--from", "" + from, "--seeds", "" + seeds, "--report", report.toString()
    };
    Duration cpu;
    try (Program program = Program.start(directory, Map.of(), command)) {
      program.awaitEnd(PATIENCE);
      assertThat(program.exitCode()).as("%s", program.out()).isZero();
      cpu = program.cpu();
    }
    JsonNode found = new ObjectMapper().readTree(report.toFile());
    assertThat(found.path("seeds").asLong()).isEqualTo(seeds);
    assertThat(found.path("virtualHours").asDouble()).isGreaterThanOrEqualTo((double) seeds);
    assertThat(found.path("violations")).isEmpty();
    return new Simulated(found, cpu);
  }
}
