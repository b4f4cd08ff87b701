package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What people see who ask, or who ask for the wrong thing, where it takes the process to show it:
 * exit codes, streams, what is left behind, the environment. The tests of the commands have the
 * rest.
 */
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
  void wrongUsage_exitsWith2AndTheUsage() throws Exception {
    Program wrong = run("rum");

    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err().getFirst()).contains("Unmatched argument at index 0: 'rum'");
    assertThat(wrong.err()).anySatisfy(usage -> assertThat(usage).startsWith("Usage: poolkeeper"));
  }

  @Test
  void numbers_areTheSameInEveryLanguage() throws Exception {
    Program wrong =
        Program.run(
            directory,
            Map.of("POOLKEEPER_JAVA_OPTS", "-Duser.language=ar -Duser.country=EG"),
            "pause",
            "--for=30m",
            "--reason=" + "x".repeat(201));

    assertThat(wrong.err().getFirst()).contains("1 to 200 characters");
  }

  @Test
  void labReport_whereNoneCanBeWritten_isRefusedBeforeTheRehearsal() throws Exception {
    assertRefused(
        run("lab", "--report", "nowhere/report.json"),
        "--report nowhere/report.json: cannot be written: ");
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
  void run_noKubeconfig_oneMessage() throws Exception {
    Path edited =
        Files.writeString(
            directory.resolve("my.conf"),
            Files.readString(Path.of("conf", "poolkeeper.conf"))
                .replace("00000000-0000-0000-0000-000000000000", "subscription-of-mine"));

    Program run = run("run", "--config", edited.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasSize(1);
    assertThat(run.err().getFirst())
        .startsWith("no kubeconfig: ")
        .contains(run.home().resolve(".kube/config") + " does not exist");
  }
}
