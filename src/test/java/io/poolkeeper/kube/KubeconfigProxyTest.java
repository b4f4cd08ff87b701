package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.armsim.Authority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that only a proxy reaches. */
class KubeconfigProxyTest {
  private static final InstantSource WALL = InstantSource.system();

  @TempDir Path directory;
  private TlsServer server;
  private ConnectProxy proxy;

  @BeforeEach
  void start() throws Exception {
    Authority authority = Authority.create(WALL);
    Files.writeString(directory.resolve("ca.crt"), authority.pem());
    server = TlsServer.with(authority.server());
    proxy = new ConnectProxy(server.port());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.close();
  }

  @Test
  void proxyOfTheFile_isAskedToConnect_byAllClients() throws IOException {
    assertReached("proxy-url: '%s'".formatted(proxy.url()), Map.of());
  }

  @Test
  void proxyOfTheEnvironment_isAskedToConnect_withoutExceptions() throws IOException {
    String address = proxy.url();
    assertReached("", Map.of("HTTPS_PROXY", address));
    assertReached("", Map.of("HTTPS_PROXY", address, "NO_PROXY", ""));
    assertReached("", Map.of("https_proxy", address, "no_proxy", "other"));
  }

  private void assertReached(String more, Map<String, String> environment) throws IOException {
    proxy.heads.clear();
    Path file =
        Files.writeString(
            directory.resolve("config"),
            """
            current-context: c
            contexts: [{name: c, context: {cluster: k}}]
            clusters:
            - name: k
              cluster: {server: "https://kubernetes.default.svc:6443", certificate-authority: ca.crt, tls-server-name: localhost, %s}
            """
                .formatted(more));
    try (KubernetesClient client =
            KubeClients.client(
                KubeClients.configuration(
                    Optional.of(file), Optional.empty(), environment, directory, directory, WALL));
        KubernetesClient once = KubeClients.once(client, Duration.ofSeconds(5))) {
      assertThat(client.raw("/")).isEqualTo("ok");
      assertThat(once.raw("/")).isEqualTo("ok");
    }
    assertThat(proxy.heads)
        .hasSize(2)
        .allSatisfy(head -> assertThat(head).startsWith("CONNECT kubernetes.default.svc:6443 "));
  }
}
