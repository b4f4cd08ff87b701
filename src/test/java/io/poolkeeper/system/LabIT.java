package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.lab.ReportShape;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A complete rehearsal by the packaged program. */
class LabIT {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  @TempDir private Path directory;

  @Test
  void aRehearsalPassesAndIsReported() throws Exception {
    Path file = directory.resolve("report.json");

    Program lab =
        Program.run(
            directory,
            Map.of(),
            "lab",
            "rolling-restart",
            "--interval",
            "1s",
            "--report",
            "report.json");

    assertThat(lab.exitCode()).as("%s", lab.out()).isZero();
    assertThat(lab.err()).isEmpty();
    assertThat(lab.out().getFirst()).startsWith("starting up");
    assertThat(lab.out().getLast().strip()).isEqualTo("passed");
    assertThat(lab.out()).noneMatch(line -> line.chars().anyMatch(c -> c < ' '));
    assertThat(lab.out()).anyMatch(line -> line.matches(" *scenario +rolling-restart, seed 1.*"));
    String report = Files.readString(file);
    ReportShape.assertPassed(report, "rolling-restart", INTERVAL);
    assertCalm(new ObjectMapper().readTree(report));
    assertThat(lab.home()).isDirectoryNotContaining("glob:**/poolkeeper-lab*");
  }

  /**
   * A read per write, and changes that followed a quiet interval. A change that arrives while a
   * pool is read goes out with this very write; its own attempt then reads and writes nothing. A
   * busy machine makes some of those; a controller that reads twice would make as many as it
   * writes.
   */
  private static void assertCalm(JsonNode report) {
    assertThat(report.at("/propagationMillis/count").asInt()).isPositive();
    int writes = report.at("/arm/put").asInt();
    assertThat(report.at("/arm/get").asInt()).isBetween(writes, writes + writes / 5);
  }

  @Test
  void aSignalDuringTheRehearsalEndsItInOrder() throws Exception {
    try (Program lab = Program.start(directory, Map.of(), "lab", "rolling-restart")) {
      lab.awaitOut("rolling restart: ");

      int code = lab.terminate();

      assertThat(code).isZero();
      assertThat(lab.err()).isEmpty();
      assertThat(lab.home()).isDirectoryNotContaining("glob:**/poolkeeper-lab*");
    }
  }

  static ServerSocket taken() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }
}
