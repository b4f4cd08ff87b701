package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.armsim.Authority;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that only a proxy reaches; the proxy connects all that is asked to one TLS server. */
class KubeconfigProxyTest {
  private static final InstantSource WALL = InstantSource.system();

  @TempDir Path directory;
  private final Queue<String> heads = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private TlsServer server;
  private ServerSocket proxy;

  @BeforeEach
  void start() throws Exception {
    Authority authority = Authority.create(WALL);
    Files.writeString(directory.resolve("ca.crt"), authority.pem());
    server = TlsServer.with(authority.server());
    proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  @AfterEach
  void stop() throws IOException {
    threads.shutdownNow();
    proxy.close();
    server.close();
  }

  @Test
  void proxyOfTheFile_isAskedToConnect_byAllClients() throws IOException {
    assertReached("proxy-url: 'http://127.0.0.1:%d'".formatted(proxy.getLocalPort()), Map.of());
  }

  @Test
  void proxyOfTheEnvironment_isAskedToConnect_withoutExceptions() throws IOException {
    String address = "http://127.0.0.1:" + proxy.getLocalPort();
    assertReached("", Map.of("HTTPS_PROXY", address));
    assertReached("", Map.of("HTTPS_PROXY", address, "NO_PROXY", ""));
    assertReached("", Map.of("https_proxy", address, "no_proxy", "other"));
  }

  private void assertReached(String more, Map<String, String> environment) throws IOException {
    heads.clear();
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
    assertThat(heads)
        .hasSize(2)
        .allSatisfy(head -> assertThat(head).startsWith("CONNECT kubernetes.default.svc:6443 "));
  }

  private void accept() {
    try {
      while (true) {
        Socket client = proxy.accept();
        threads.execute(() -> connect(client));
      }
    } catch (IOException closed) {
      // The test ends.
    }
  }

  private void connect(Socket client) {
    try (client;
        Socket there = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.read());
      }
      heads.add(head.toString());
      OutputStream back = client.getOutputStream();
      back.write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      threads.execute(() -> copy(in, there));
      there.getInputStream().transferTo(back);
    } catch (IOException closed) {
      // By one of the sides.
    }
  }

  private static void copy(InputStream from, Socket to) {
    try {
      from.transferTo(to.getOutputStream());
    } catch (IOException closed) {
      // By one of the sides.
    }
  }
}
