package io.poolkeeper.integration;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.poolkeeper.kube.CuttableProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program as a process, one of several on one cluster, with a connection to the API server that
 * can be cut. Closing it kills it.
 */
final class Replica implements AutoCloseable {
  /** Four of them start at once on two cores. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Of every Pod. */
  static final String UID = "5e1f";

  private static final Pattern BOUND = Pattern.compile("http=bound address=/?(\\S+)");

  private final HttpClient http = HttpClient.newHttpClient();
  private final CuttableProxy proxy;
  private final Path log;
  private final Process process;

  private Replica(CuttableProxy proxy, Path log, Process process) {
    this.proxy = proxy;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param pod its identity is of the name and this uid, if its settings have an HTTP port
   * @param kubeconfig of the API server
   */
  static Replica start(Path directory, String pod, String kubeconfig, String settings)
      throws IOException {
    Matcher server = Pattern.compile("127.0.0.1:(\\d+)").matcher(kubeconfig);
    assertThat(server.find()).isTrue();
    CuttableProxy proxy = new CuttableProxy(Integer.parseInt(server.group(1)));
    Path place = Files.createTempDirectory(directory, pod);
    Path kube = place.resolve("kubeconfig");
    Files.writeString(kube, server.replaceFirst("127.0.0.1:" + proxy.port()), CREATE_NEW);
    Path config = Files.writeString(place.resolve("poolkeeper.conf"), settings, CREATE_NEW);
    Path log = place.resolve("log");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "io.poolkeeper.Main",
            "run",
            "--config",
            config.toString());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder
        .environment()
        .putAll(Map.of("KUBECONFIG", kube.toString(), "POD_NAME", pod, "POD_UID", UID));
    return new Replica(proxy, log, builder.start());
  }

  /** An answer of its HTTP API, if it can be had. */
  private Optional<String> get(String path) {
    return address().flatMap(address -> get("http://" + address + path, http));
  }

  /** What a command says of it. */
  Command ask(String command) {
    return Command.ask("--url", "http://" + address().orElseThrow(), command);
  }

  private Optional<String> address() {
    return log().stream().map(BOUND::matcher).filter(Matcher::find).map(m -> m.group(1)).findAny();
  }

  private static Optional<String> get(String url, HttpClient http) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(2)).build();
      return Optional.of(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    } catch (IOException notYet) {
      return Optional.empty();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  /** Waits until it is ready and says that it has this role. */
  Replica ready(String role) {
    return answers(
        "/readyz",
        text -> text.startsWith("{\"ready\":true") && text.endsWith("\"role\":\"" + role + "\"}"));
  }

  /** Waits until its HTTP API gives an answer like that. */
  Replica answers(String path, Predicate<String> like) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .failFast(() -> assertThat(process.isAlive()).as(() -> log().toString()).isTrue())
        .until(() -> get(path).filter(like).isPresent());
    return this;
  }

  List<String> log() {
    try {
      return Files.readAllLines(log);
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  /** SIGSTOP. */
  void pause() throws IOException {
    signal("-STOP");
  }

  /** SIGCONT. */
  void resume() throws IOException {
    signal("-CONT");
  }

  private void signal(String name) throws IOException {
    Process kill = new ProcessBuilder("kill", name, Long.toString(process.pid())).start();
    assertThat(kill.onExit().join().exitValue()).isZero();
  }

  /** It reaches the API server no more, and hears nothing of it. */
  void cutOff() {
    proxy.hold();
  }

  /** What it sends to the API server, and what it hears of it, takes so much longer. */
  void slowApiServer(Duration by) {
    proxy.slow(by);
  }

  /** The exit code; fails if it does not end within the time. */
  int exitCode(Duration within) throws InterruptedException {
    assertThat(process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS))
        .as(() -> "ended in time: " + log())
        .isTrue();
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    proxy.close();
    http.shutdownNow();
  }
}
