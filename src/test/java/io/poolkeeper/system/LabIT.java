package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A complete rehearsal by the packaged program. */
class LabIT {
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
            "2s",
            "--report",
            "report.json");

    assertThat(lab.exitCode()).as("%s", lab.out()).isZero();
    assertThat(lab.err()).isEmpty();
    assertThat(lab.out().getFirst()).startsWith("starting up");
    assertThat(lab.out().getLast().strip()).isEqualTo("passed");
    assertThat(lab.out()).noneMatch(line -> line.chars().anyMatch(c -> c < ' '));
    assertThat(lab.out()).anyMatch(line -> line.matches(" *scenario +rolling-restart, seed 1.*"));
    assertReport(new ObjectMapper().readTree(file.toFile()));
    assertThat(lab.home()).isDirectoryNotContaining("glob:**/poolkeeper-lab*");
  }

  private static void assertReport(JsonNode report) {
    assertThat(report.path("scenario").asText()).isEqualTo("rolling-restart");
    assertThat(report.path("passed").asBoolean()).isTrue();
    assertThat(report.path("intervalMillis").asInt()).isEqualTo(2000);
    assertThat(report.path("checks")).isNotEmpty().allMatch(c -> c.path("passed").asBoolean());
    assertThat(report.at("/propagationMillis/count").asInt()).isPositive();
    assertThat(report.at("/arm/get").asInt()).isEqualTo(report.at("/arm/put").asInt());
    assertThat(report.path("lostUpdates").asInt(-1)).isZero();
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

  @Test
  void aPortThatIsTakenIsNamedAtOnce() throws Exception {
    try (ServerSocket taken = taken()) {
      String port = Integer.toString(taken.getLocalPort());

      Program lab = Program.run(directory, Map.of(), "lab", "--port", port);

      assertThat(lab.exitCode()).isEqualTo(1);
      assertThat(lab.out()).isEmpty();
      assertThat(lab.err()).hasSize(1);
      assertThat(lab.err().getFirst()).startsWith("cannot listen on 127.0.0.1:" + port);
    }
  }

  static ServerSocket taken() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }
}
