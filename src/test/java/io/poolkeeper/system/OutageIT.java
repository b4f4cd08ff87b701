package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.poolkeeper.lab.cluster.EmbeddedCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run} without a usable cluster, ARM or port. */
class OutageIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private int lastPort = 20_000 + (int) (ProcessHandle.current().pid() % 10_000);
  @TempDir private Path directory;

  private Program startRun(int httpPort, int apiServerPort) throws IOException {
    Path kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts: [{name: c, context: {cluster: c, user: u}}]
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: u, user: {token: t}}]
        """
            .formatted(apiServerPort));
    Files.writeString(
        directory.resolve("poolkeeper.conf"),
        """
        poolkeeper {
          mode = write
          azure { subscription-id = s, resource-group = rg, credential = none
                  endpoint = "http://127.0.0.1:%d" }
          http.port = %d
        }
        pekko.http.server.server-header = "set by the user"
        """
            .formatted(freePort(), httpPort));
    return Program.start(
        directory,
        Map.of("KUBECONFIG", kubeconfig.toString()),
        "run",
        "--config",
        "poolkeeper.conf");
  }

  /**
   * A port that is free and stays so: below those that the kernel gives to whoever asks for any,
   * and another one for each process and call.
   */
  private int freePort() {
    while (true) {
      lastPort++;
      try (ServerSocket socket = new ServerSocket(lastPort, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        assertThat(lastPort).isLessThan(32_768);
      }
    }
  }

  @Test
  void withoutApiServerAndArmItStaysUpSaysWhyAndTriesOn() throws Exception {
    int apiServerPort = freePort();
    try (Program run = startRun(0, apiServerPort)) {
      URI http = URI.create("http:/" + run.awaitErr("http=bound address="));

      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(get(http.resolve("/readyz")).body())
                      .contains("watch of nodes is not connected: ")
                      .contains("cache of NODES is not synced yet", "listing load balancers: "));
      assertThat(get(http.resolve("/readyz")).statusCode()).isEqualTo(503);
      assertThat(get(http.resolve("/healthz")).statusCode()).isEqualTo(200);
      assertThat(get(http.resolve("/healthz")).headers().firstValue("Server"))
          .hasValue("set by the user");
      try (EmbeddedCluster cluster = EmbeddedCluster.start(apiServerPort)) {
        await()
            .atMost(SOON)
            .untilAsserted(
                () ->
                    assertThat(get(http.resolve("/readyz")).body())
                        .doesNotContain("watch of")
                        .doesNotContain("cache of"));
        assertThat(cluster.port()).isEqualTo(apiServerPort);
      }

      assertThat(run.terminate()).isZero();
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).allMatch(SeparateRunIT::isLog);
    }
  }

  @Test
  void aPortThatIsTakenEndsItWithOneMessageThatNamesThePort() throws Exception {
    try (ServerSocket taken = LabIT.taken();
        Program run = startRun(taken.getLocalPort(), freePort())) {
      run.awaitEnd();

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err().stream().filter(line -> !SeparateRunIT.isLog(line)).toList())
          .singleElement()
          .asString()
          .startsWith("cannot listen on 127.0.0.1:" + taken.getLocalPort());
    }
  }

  private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
