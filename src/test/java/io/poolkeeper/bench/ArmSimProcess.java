package io.poolkeeper.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code poolkeeper arm-sim --profile fast} as a process, seen from outside. */
final class ArmSimProcess implements AutoCloseable {
  private static final String LISTENING = "listening on ";
  private static final Pattern USED = Pattern.compile("used (\\d+)K");

  private final Process process;
  private final URI endpoint;

  private ArmSimProcess(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  static ArmSimProcess start(List<String> jvm, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java("java"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-XX:+IgnoreUnrecognizedVMOptions");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.poolkeeper.Main"));
    command.addAll(List.of("arm-sim", "--profile", "fast"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    // A JVM may have something to say first.
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(LISTENING)) {
        return new ArmSimProcess(process, URI.create(line.substring(LISTENING.length())));
      }
    }
    throw new IOException("the simulator did not start");
  }

  private static String java(String program) {
    return Path.of(System.getProperty("java.home"), "bin", program).toString();
  }

  URI endpoint() {
    return endpoint;
  }

  /** In MiB. */
  long rss() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElseThrow();
  }

  /** In MiB, after a full collection. */
  long heap() throws IOException {
    jcmd("GC.run");
    Matcher used = USED.matcher(jcmd("GC.heap_info"));
    if (!used.find()) {
      throw new IOException("jcmd does not print the heap");
    }
    return Long.parseLong(used.group(1)) / 1024;
  }

  private String jcmd(String what) throws IOException {
    Process jcmd =
        new ProcessBuilder(java("jcmd"), Long.toString(process.pid()), what)
            .redirectErrorStream(true)
            .start();
    return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroy();
    if (process.onExit().completeOnTimeout(process, 20, TimeUnit.SECONDS).join().isAlive()) {
      process.destroyForcibly();
    }
  }
}
