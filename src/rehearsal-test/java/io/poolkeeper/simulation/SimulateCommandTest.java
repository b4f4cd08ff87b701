package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.cli.Cli;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command takes, refuses and reports. */
class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... options) {
    List<String> line = Stream.concat(Stream.of("simulate"), Stream.of(options)).toList();
    return Cli.run(line, new PrintWriter(out), new PrintWriter(err), Map.of());
  }

  @ParameterizedTest
  @CsvSource({
    "--seeds 0, '--seeds: found ''0'', allowed: 1 to 100000000'",
    "--seeds x, Invalid value for option '--seeds'",
    "--from 9223372036854775807, '--from: found ''9223372036854775807'', allowed: at most'",
    "--hours 0, '--hours: found ''0.0'', allowed: 0.01 to 1000'",
    "--hours NaN, '--hours: found ''NaN'', allowed: 0.01 to 1000'",
    "--trace, --trace: allowed with --seeds 1 only",
    "--sedes 3, Unknown option",
  })
  void wrongUsage_exitsWith2AndTheUsage(String line, String message) {
    int code = run(line.split(" ", -1));

    assertThat(code).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines().findFirst().orElseThrow()).contains(message);
    assertThat(err.toString()).contains("Usage: poolkeeper simulate");
  }

  @Test
  void report_namesWhatTheContractNames(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("report.json");

    int code = run("--seeds", "2", "--hours", "0.1", "--report", file.toString());

    assertThat(code).isZero();
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    assertThat(report.path("seeds").asInt()).isEqualTo(2);
    assertThat(report.path("virtualHours").asDouble()).isGreaterThanOrEqualTo(0.2);
    assertThat(report.path("violations").isArray()).isTrue();
    assertThat(report.path("violations")).isEmpty();
    assertThat(report.path("sometimes").isObject()).isTrue();
    assertThat(report.path("wallMillis").isNumber()).isTrue();
  }

  @Test
  void trace_printsEveryEventAndIsTheSameEachTime() {
    run("--seeds", "1", "--from", "7", "--hours", "0.2", "--trace");
    List<String> first = events();
    out.getBuffer().setLength(0);

    run("--seeds", "1", "--from", "7", "--hours", "0.2", "--trace");

    assertThat(events()).isEqualTo(first).hasSizeGreaterThan(20);
    assertThat(first).anyMatch(line -> line.contains("process 1 begins"));
  }

  private List<String> events() {
    return out.toString()
        .lines()
        .filter(line -> line.matches("\\d+ .*"))
        .limit(1_000_000)
        .filter(line -> !line.contains("virtual hours"))
        .toList();
  }
}
