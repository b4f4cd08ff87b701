package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Help and usage errors. */
class UsageIT {
  @TempDir private Path directory;

  private Program run(String... arguments) throws Exception {
    return Program.run(directory, Map.of(), arguments);
  }

  @Test
  void version_printsProgramAndApis() throws Exception {
    Program version = run("version");

    assertThat(version.exitCode()).isZero();
    assertThat(version.out())
        .hasSize(5)
        .anySatisfy(line -> assertThat(line).startsWith("version = 0."))
        .contains("arm-api = Microsoft.Network 2025-05-01");
    assertThat(version.err()).isEmpty();
  }

  @Test
  void check_theExample_printsTheSettingsInForce() throws Exception {
    Path example = Path.of("conf", "poolkeeper.conf").toAbsolutePath();

    Program check = run("check", "--config", example.toString());

    assertThat(check.exitCode()).isZero();
    assertThat(check.out())
        .contains("poolkeeper.updater.interval = \"30s\"  # default")
        .anySatisfy(line -> assertThat(line).contains("resource-group").contains(example + ":"));
    assertThat(check.err()).isEmpty();
  }

  @Test
  void labList_oneLinePerScenario() throws Exception {
    Program list = run("lab", "--list");

    assertThat(list.exitCode()).isZero();
    assertThat(list.out().stream().map(line -> line.split(" ", 2)[0]).toList())
        .containsExactly(
            "tour", "rolling-restart", "burst", "throttle", "conflict", "restart-storm");
    assertThat(list.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "lab nonsense, SCENARIO: found 'nonsense'",
    "lab --interval soon, is no duration",
    "lab --interval 99ms, '--interval: found ''99ms'', allowed: 100ms to 1h'",
    "lab --profile slow, '--profile: found ''slow'', allowed: fast, azure'",
    "lab --port 65536, '--port: found ''65536'', allowed: 0 to 65535'",
    "run, Missing required option: '--config=FILE'",
    "rum, Unmatched argument at index 0: 'rum'",
  })
  void wrongUsage_exitsWith2AndTheUsage(String line, String message) throws Exception {
    Program wrong = run(line.split(" "));

    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err().getFirst()).contains(message);
    assertThat(wrong.err()).anySatisfy(usage -> assertThat(usage).startsWith("Usage: poolkeeper"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nowhere/report.json", "."})
  void labReport_whereNoneCanBeWritten_isRefusedBeforeTheRehearsal(String report) throws Exception {
    Program lab = run("lab", "--report", report);

    assertRefused(lab, "--report " + report + ": cannot be written: ");
  }

  @Test
  void labKubeconfig_missing_oneMessage() throws Exception {
    assertRefused(run("lab", "--kubeconfig", "nowhere"), "no kubeconfig: no file nowhere");
  }

  private static void assertRefused(Program program, String message) {
    assertThat(program.exitCode()).isEqualTo(1);
    assertThat(program.out()).isEmpty();
    assertThat(program.err()).hasSize(1);
    assertThat(program.err().getFirst()).startsWith(message);
    assertThat(program.home()).isDirectoryNotContaining("glob:**/poolkeeper-lab*");
  }

  @Test
  void run_badConfiguration_namesEveryProblem() throws Exception {
    Path bad = directory.resolve("bad.conf");
    Files.writeString(bad, "poolkeeper {\n  updater.intervall = 3s\n  http.port = high\n}\n");

    Program run = run("run", "--config", "bad.conf");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).startsWith("bad.conf:2: poolkeeper.updater.intervall"))
        .anySatisfy(line -> assertThat(line).startsWith("bad.conf:3: poolkeeper.http.port"))
        .anySatisfy(line -> assertThat(line).contains("poolkeeper.azure.subscription-id"))
        .anySatisfy(line -> assertThat(line).contains("poolkeeper.azure.resource-group"));
  }

  @Test
  void run_noKubeconfig_oneMessage() throws Exception {
    Path example = Path.of("conf", "poolkeeper.conf").toAbsolutePath();

    Program run = run("run", "--config", example.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasSize(1);
    assertThat(run.err().getFirst())
        .startsWith("no kubeconfig: ")
        .contains(run.home().resolve(".kube/config") + " does not exist");
  }
}
