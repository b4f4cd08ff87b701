package io.poolkeeper.system;

import static java.lang.ProcessBuilder.Redirect.DISCARD;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ./poolkeeper ...} as a process with its output. Its environment has only the cluster and
 * settings given here. Closing it kills it.
 */
final class Program implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Cores are few here, and heaps small. */
  private static final String FLAGS = " -XX:+UseSerialGC";

  /** Most processes end before the second compiler pays. */
  private static final String BRIEF = FLAGS + " -XX:TieredStopAtLevel=1";

  /** A simulation computes for minutes: for what is hot in it, that compiler does. */
  private static final String LONG =
      FLAGS
          + " -XX:Tier4InvocationThreshold=20000 -XX:Tier4MinInvocationThreshold=5000"
          + " -XX:Tier4CompileThreshold=60000";

  static {
    // The launcher that comes first publishes the jars, and another one would print that it waits:
    // so this is done before, by one JVM of tests at a time.
    try (FileChannel lock = FileChannel.open(Path.of("target/.launcher-test"), CREATE, WRITE)) {
      lock.lock();
      ProcessBuilder first =
          new ProcessBuilder("./poolkeeper").redirectErrorStream(true).redirectOutput(DISCARD);
      first.environment().put("POOLKEEPER_JAVA_OPTS", "-version");
      first.start().onExit().join();
    } catch (IOException unusable) {
      throw new UncheckedIOException(unusable);
    }
  }

  private final Process process;
  private final Path out;
  private final Path err;

  private Program(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts it with a home of its own below the given directory. */
  static Program start(Path directory, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> launcher = List.of(Path.of("poolkeeper").toAbsolutePath().toString());
    return start(directory, environment, launcher, arguments);
  }

  static Program start(
      Path directory, Map<String, String> environment, List<String> program, String... arguments)
      throws IOException {
    Path place = Files.createTempDirectory(directory, "program");
    Path out = place.resolve("out");
    Path err = place.resolve("err");
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("HOME", place.toString());
    builder.environment().put("TMPDIR", place.toString());
    String flags = List.of(arguments).contains("simulate") ? LONG : BRIEF;
    builder.environment().put("POOLKEEPER_JAVA_OPTS", "-Djava.io.tmpdir=" + place + flags);
    builder.environment().putAll(environment);
    return new Program(builder.start(), out, err);
  }

  /** Runs it to its end. */
  static Program run(Path directory, Map<String, String> environment, String... arguments)
      throws IOException {
    return start(directory, environment, arguments).awaitEnd();
  }

  /** Runs another command than the launcher to its end. */
  static Program run(Path directory, List<String> program, String... arguments) throws IOException {
    return start(directory, Map.of(), program, arguments).awaitEnd();
  }

  Program awaitEnd() {
    return awaitEnd(PATIENCE);
  }

  Program awaitEnd(Duration patience) {
    await().atMost(patience).until(() -> !process.isAlive());
    return this;
  }

  int exitCode() {
    return process.exitValue();
  }

  List<String> out() {
    return lines(out);
  }

  List<String> err() {
    return lines(err);
  }

  /** The directory of its temporary files and its output. */
  Path home() {
    return out.getParent();
  }

  /** The rest of the first line of standard output with this beginning. */
  String awaitOut(String beginning) {
    return awaitLine(out, Pattern.compile("^" + Pattern.quote(beginning) + "(.*)"));
  }

  /** The rest of the first line of standard error with this part. */
  String awaitErr(String part) {
    return awaitLine(err, Pattern.compile(Pattern.quote(part) + "(.*)"));
  }

  private String awaitLine(Path file, Pattern rest) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .failFast(() -> requireAlive(file, rest))
        .until(() -> find(file, rest), Optional::isPresent)
        .orElseThrow();
  }

  private static Optional<String> find(Path file, Pattern rest) {
    return lines(file).stream()
        .map(rest::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .findFirst();
  }

  private void requireAlive(Path file, Pattern rest) {
    if (!process.isAlive() && find(file, rest).isEmpty()) {
      throw new AssertionError("it has ended; out: " + out() + ", err: " + err());
    }
  }

  /** Sends SIGTERM; the exit code comes within the documented 10 s. */
  int terminate() throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).as("ended within 10 s").isTrue();
    return process.exitValue();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
