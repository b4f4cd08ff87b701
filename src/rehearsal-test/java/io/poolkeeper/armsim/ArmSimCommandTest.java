package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.cli.Cli;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command refuses before it starts anything. */
class ArmSimCommandTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... options) {
    List<String> line = Stream.concat(Stream.of("arm-sim"), Stream.of(options)).toList();
    return Cli.run(line, new PrintWriter(out), new PrintWriter(err), Map.of());
  }

  @ParameterizedTest
  @CsvSource({
    "--port 65536, '--port: found ''65536'', allowed: 0 to 65535'",
    "--port -1, '--port: found ''-1'', allowed: 0 to 65535'",
    "--port x, Invalid value for option '--port'",
    "--profile slow, '--profile: found ''slow'', allowed: fast, azure'",
    "--page-size 0, '--page-size: found ''0'', allowed: 1 to 1000'",
    "--ca-file ca.pem, --ca-file: allowed with --tls only",
    "--sttae, Unknown option: '--sttae'",
    "--state, Missing required parameter for option '--state'",
    "--compare r.json --tls --seed 2, '--compare: allowed without other options, found --tls, --seed'",
  })
  void wrongUsage_exitsWith2AndTheUsage(String line, String message) {
    int code = run(line.split(" ", -1));

    assertThat(code).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines().findFirst().orElseThrow()).contains(message);
    assertThat(err.toString()).contains("Usage: poolkeeper arm-sim");
  }

  @ParameterizedTest
  @CsvSource({"201, 0, 1 of 1 exchanges", "202, 1, '#0 PUT .../resourceGroups/rg'"})
  void compare_aReport_exitsWithWhetherItAgrees(int status, int code, String first)
      throws IOException {
    Path report = directory.resolve("report.json");
    Files.writeString(
        report,
        ("[{\"request\":{\"method\":\"PUT\",\"body\":{\"location\":\"westeurope\"},"
                + "\"url\":\"/subscriptions/s/resourceGroups/rg?api-version=2021-04-01\"},"
                + "\"response\":{\"status\":%d}}]")
            .formatted(status));

    assertThat(run("--compare", report.toString())).isEqualTo(code);

    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).contains(first);
  }

  @Test
  void compare_aWrongReport_namesAtMostTwentyProblems() throws IOException {
    Path report = Files.writeString(directory.resolve("report.json"), "[" + "1,".repeat(24) + "1]");

    assertThat(run("--compare", report.toString())).isEqualTo(1);

    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .hasSize(21)
        .contains(report + ": [19]: found a JSON number; allowed: a JSON object", "and 5 more");
  }

  @Test
  void help_hasAnExample() {
    int code = run("--help");

    assertThat(code).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).contains("Example:\n  poolkeeper arm-sim --port");
  }
}
