package io.poolkeeper.lab;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * {@code poolkeeper run} as a process of its own, of the very program that the lab belongs to. Its
 * Pod and its port stay the same, as those of a container that is restarted.
 */
record ControllerProcess(Process process, Path log) {
  static final String LOG = "controller.log";
  private static final String POD = "poolkeeper-lab";

  /** What a stop in order may take. */
  private static final long GRACE_SECONDS = 15;

  static ControllerProcess start(Path config, Path kubeconfig) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Flags of the JVM, without agents and properties of this process.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("-X") || flag.startsWith("--"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.poolkeeper.Main"));
    command.addAll(List.of("run", "--config", config.toString()));
    Path log = config.resolveSibling(LOG);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    builder.environment().putAll(Map.of("POD_NAME", POD, "POD_UID", POD));
    return new ControllerProcess(builder.start(), log);
  }

  /** Fails if the process has ended by itself. */
  void requireAlive() {
    if (!process.isAlive()) {
      throw new LabException(
          "the controller ended with exit code %d: %s".formatted(process.exitValue(), lastLine()));
    }
  }

  private String lastLine() {
    try (var lines = Files.lines(log)) {
      return lines.reduce("", (before, line) -> line);
    } catch (IOException unreadable) {
      return "its log cannot be read: " + unreadable;
    }
  }

  /** Ends it at once, by a signal that no process hears. */
  void kill() throws InterruptedException {
    requireAlive();
    process.destroyForcibly().waitFor();
  }

  /** Ends it in order. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new LabException("the controller did not stop within %d s".formatted(GRACE_SECONDS));
    }
  }
}
