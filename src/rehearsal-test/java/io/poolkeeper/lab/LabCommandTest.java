package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.cli.Cli;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command lists, and what it refuses before it starts anything. */
class LabCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... options) {
    List<String> line = Stream.concat(Stream.of("lab"), Stream.of(options)).toList();
    return Cli.run(line, new PrintWriter(out), new PrintWriter(err), Map.of());
  }

  @Test
  void list_oneLinePerScenario() {
    int code = run("--list");

    assertThat(code).isZero();
    assertThat(out.toString().lines().map(line -> line.split(" ", 2)[0]))
        .containsExactly(
            "tour",
            "rolling-restart",
            "burst",
            "throttle",
            "conflict",
            "peer-damage",
            "drain",
            "spot",
            "crash",
            "other-writer",
            "admission",
            "slow-write",
            "restart-storm");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "nonsense, SCENARIO: found 'nonsense'",
    "--interval soon, is no duration",
    "--interval 99ms, '--interval: found ''99ms'', allowed: 100ms to 1h'",
    "--profile slow, '--profile: found ''slow'', allowed: fast, azure'",
    "--port 65536, '--port: found ''65536'', allowed: 0 to 65535'",
  })
  void wrongUsage_exitsWith2AndTheUsage(String line, String message) {
    int code = run(line.split(" ", -1));

    assertThat(code).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines().findFirst().orElseThrow()).contains(message);
    assertThat(err.toString().lines())
        .anySatisfy(usage -> assertThat(usage).startsWith("Usage: poolkeeper"));
  }

  @Test
  void reportThatIsADirectory_isRefusedBeforeTheRehearsal() {
    int code = run("--report", ".");

    assertThat(code).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).hasLineCount(1).startsWith("--report .: cannot be written: ");
  }
}
