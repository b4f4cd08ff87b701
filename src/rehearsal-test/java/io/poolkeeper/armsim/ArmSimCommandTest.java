package io.poolkeeper.armsim;

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

/** What the command refuses before it starts anything. */
class ArmSimCommandTest {
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
  })
  void wrongUsage_exitsWith2AndTheUsage(String line, String message) {
    int code = run(line.split(" ", -1));

    assertThat(code).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines().findFirst().orElseThrow()).contains(message);
    assertThat(err.toString()).contains("Usage: poolkeeper arm-sim");
  }

  @Test
  void help_hasAnExample() {
    int code = run("--help");

    assertThat(code).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).contains("Example:\n  poolkeeper arm-sim --port");
  }
}
