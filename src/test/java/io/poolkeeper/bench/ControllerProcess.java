package io.poolkeeper.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code poolkeeper run} as a process, seen from outside: by HTTP and in {@code /proc}. It has the
 * options of the image, but for its cache of classes, and the memory of a pod of 1 GiB.
 */
final class ControllerProcess implements AutoCloseable {
  /** Of Linux, on every architecture in use. */
  private static final double TICKS_PER_SECOND = 100;

  private static final long MEBI = 1024L * 1024;

  private final Process process;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  private ControllerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static ControllerProcess start(List<String> options, Path kubeconfig, Path config, int port)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+IgnoreUnrecognizedVMOptions");
    command.addAll(imageOptions());
    command.add("-XX:MaxRAM=1g");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.poolkeeper.Main"));
    command.addAll(List.of("run", "--config", config.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(config.resolveSibling("log").toFile());
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    return new ControllerProcess(builder.start(), port);
  }

  private static List<String> imageOptions() throws IOException {
    return Files.readAllLines(Path.of("deploy/image/controller")).stream()
        .filter(line -> line.startsWith("-") && !line.startsWith("-cp"))
        .flatMap(line -> Stream.of(line.split(" ")))
        .filter(option -> !option.startsWith("-XX:AOTCache"))
        .toList();
  }

  OpenPage openPage() {
    return OpenPage.open(URI.create("http://127.0.0.1:" + port + "/api/v1/events"));
  }

  boolean ready() {
    return get("/readyz").map(answer -> answer.statusCode() == 200).orElse(false);
  }

  /** The number of pools in the API; none while it is too busy to say. */
  int pools() {
    return get("/api/v1/pools")
        .filter(answer -> answer.statusCode() == 200)
        .map(answer -> items(answer.body()))
        .orElse(0);
  }

  /** Whether all pools show which nodes are out of service. */
  boolean nodesDone() {
    return get("/api/v1/nodes")
        .map(answer -> !answer.body().contains("\"done\":false"))
        .orElse(false);
  }

  private static int items(String json) {
    try {
      return new ObjectMapper().readTree(json).size();
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  /** In MiB, after the last collection. */
  long heap() {
    String metrics = get("/metrics").orElseThrow().body();
    double bytes =
        metrics
            .lines()
            .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
    return Math.round(bytes / MEBI);
  }

  /** In MiB. */
  long rss() throws IOException {
    return memory("VmRSS:");
  }

  /** The highest since the start, in MiB. */
  long peakRss() throws IOException {
    return memory("VmHWM:");
  }

  private long memory(String field) throws IOException {
    return Files.readAllLines(proc("status")).stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(kibi -> Long.parseLong(kibi) / 1024)
        .findFirst()
        .orElseThrow();
  }

  /** User and system time since the start. */
  double cpuSeconds() throws IOException {
    String stat = Files.readString(proc("stat"));
    // The second field is a name in brackets; utime and stime are the 14th and 15th.
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    return (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) / TICKS_PER_SECOND;
  }

  /** Collects garbage, and says which classes hold most of the rest: instances, bytes, name. */
  List<String> classes(int most) throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process histogram =
        new ProcessBuilder(jcmd, Long.toString(process.pid()), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader lines = histogram.inputReader()) {
      List<String> all = lines.lines().toList();
      return all.stream().filter(line -> line.matches(" +\\d+: .*")).limit(most).toList();
    }
  }

  private Path proc(String file) {
    return Path.of("/proc", Long.toString(process.pid()), file);
  }

  private Optional<HttpResponse<String>> get(String path) {
    if (!process.isAlive()) {
      throw new IllegalStateException("the controller ended: " + process.exitValue());
    }
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    try {
      return Optional.of(
          http.send(
              HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
              HttpResponse.BodyHandlers.ofString()));
    } catch (ConnectException | HttpTimeoutException notNow) {
      return Optional.empty();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public void close() {
    process.destroy();
    http.close();
  }
}
