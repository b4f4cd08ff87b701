package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabClusterTest {
  private final List<String> requests = new CopyOnWriteArrayList<>();

  @TempDir private Path directory;

  @Test
  void defineBindings_thatAreNotServed_removesTheDefinition() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withAutoConfigure(false)
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withHttp2Disable(true)
                    .build())
            .build()) {
      LabCluster cluster = new LabCluster(client, directory, Optional.empty());

      assertThatThrownBy(cluster::defineBindings).isInstanceOf(KubernetesClientException.class);
    } finally {
      server.stop(0);
    }
    assertThat(requests).contains("POST").endsWith("DELETE");
  }

  /** Defines what it is sent, but never shows it. */
  private void answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    requests.add(method);
    boolean list = exchange.getRequestURI().getPath().endsWith("/customresourcedefinitions");
    byte[] body = exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    if (method.equals("GET")) {
      exchange.sendResponseHeaders(list ? 403 : 404, -1);
    } else {
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  @Test
  void open_serverThatIsNotReached_saysWhy() throws IOException {
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """);

    assertThatThrownBy(
            () -> LabCluster.open(Optional.of(kubeconfig), directory, InstantSource.system()))
        .hasMessage(kubeconfig + ": the API server does not answer: cannot connect to 127.0.0.1:1");
  }
}
