package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others have suffered on their way to an API server (docs/operations/reports.md). */
@Tag("real-apiserver")
class RealReportsIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final InstantSource WALL = InstantSource.system();
  private static final String SERVICE = "https://kubernetes.default.svc:6443";

  /** As shipped, but for the times. */
  private static final WatchLiveness.Limits LIMITS =
      new WatchLiveness.Limits(
          Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(2));

  private static RealApiServer server;
  private static ActorTestKit kit;

  @TempDir Path directory;
  private final Mirrors mirrors = new Mirrors(kit);

  @BeforeAll
  static void startServer() {
    kit = ActorTestKit.create();
    server = RealApiServer.shared();
  }

  @AfterAll
  static void stopKit() {
    kit.shutdownTestKit();
  }

  @Test
  void row2_proxyOfTheFile_isUsedByCallsAndWatches() throws IOException {
    try (ConnectProxy proxy = new ConnectProxy(server.port())) {
      assertWatchedThrough(proxy, SERVICE, "proxy-url: '%s'".formatted(proxy.url()), Map.of());
    }
  }

  @Test
  void row2_proxyOfTheEnvironment_isUsedWithoutExceptionsAndWithEmptyOnes() throws IOException {
    try (ConnectProxy proxy = new ConnectProxy(server.port())) {
      assertWatchedThrough(proxy, SERVICE, "", Map.of("HTTPS_PROXY", proxy.url()));
      assertWatchedThrough(proxy, SERVICE, "", Map.of("HTTPS_PROXY", proxy.url(), "NO_PROXY", ""));
    }
  }

  @Test
  void row3_tlsServerName_isCheckedInsteadOfTheHost_byCallsAndWatches() throws IOException {
    try (ConnectProxy proxy = new ConnectProxy(server.port())) {
      String through = "proxy-url: '%s', tls-server-name: ".formatted(proxy.url());
      assertWatchedThrough(
          proxy, "https://127.0.0.2:6443", through + "kubernetes.default.svc", Map.of());
      try (KubernetesClient client = client(SERVICE, through + "other.default.svc", Map.of());
          ClusterWatch watch = mirrors.watch(client)) {
        assertThatExceptionOfType(KubernetesClientException.class)
            .isThrownBy(() -> client.namespaces().list())
            .withStackTraceContaining("(certificate_");
        await().atMost(SOON).until(() -> watch.problems().toString().contains("nodes is not"));
        assertThat(watch.connected()).doesNotContainValue(true);
      }
    }
  }

  @Test
  void row11_connectionsThatGoSilentBeforeTheFirstBookmark_areLost_andOpenedAnew()
      throws IOException {
    try (CuttableProxy proxy = new CuttableProxy(server.port());
        KubernetesClient client = server.client(proxy.port());
        ClusterWatch watch = mirrors.watch(client, LIMITS)) {
      await().atMost(SOON).until(() -> !watch.connected().containsValue(false));
      assertThat(watch.problems()).isEmpty();

      proxy.stall();
      proxy.holdNew();
      server.client().resource(Samples.preemptEvent("row-11", "node-1")).create();

      await().atMost(SOON).until(() -> mirrors.nodes().lost() && mirrors.slices().lost());
      await().atMost(SOON).until(() -> watch.problems().size() == watch.connected().size());
      assertThat(watch.connected()).containsKey("events").doesNotContainValue(true);
      assertThat(watch.problems().lastEntry().getValue())
          .startsWith("watch of events is not connected: ");
      proxy.release();
      await().atMost(SOON).until(() -> !watch.connected().containsValue(false));
      await().atMost(SOON).until(() -> watch.problems().isEmpty());
      assertThat(mirrors.nodes().timesSynced()).isEqualTo(2);
      await().atMost(SOON).until(() -> mirrors.preempted().contains(new NodeKey("node-1")));
    } finally {
      server.client().v1().events().inNamespace("default").delete();
    }
  }

  @Test
  void row11_watchOfEventsAloneThatGoesSilent_isClosed_andOpenedAnew() throws IOException {
    Queue<NodeKey> heard = new ConcurrentLinkedQueue<>();
    try (CuttableProxy proxy = new CuttableProxy(server.port());
        KubernetesClient client = server.client(proxy.port());
        WatchClient api = new WatchClient(client, WALL, LIMITS);
        EventWatch watch = PreemptEvents.start(api, WALL, event -> heard.add(event.node()))) {
      await().atMost(SOON).until(() -> api.isOpen("events", 1));

      proxy.stall();
      proxy.holdNew();
      server.client().resource(Samples.preemptEvent("row-11", "node-1")).create();

      await().atMost(SOON).until(() -> !api.isOpen("events", 1) && api.error("events").isPresent());
      assertThat(watch.isOpen()).isFalse();
      proxy.release();
      await().atMost(SOON).until(() -> heard.contains(new NodeKey("node-1")));
    } finally {
      server.client().v1().events().inNamespace("default").delete();
    }
  }

  private void assertWatchedThrough(
      ConnectProxy proxy, String address, String more, Map<String, String> environment)
      throws IOException {
    proxy.heads.clear();
    try (KubernetesClient client = client(address, more, environment);
        ClusterWatch watch = mirrors.watch(client)) {
      assertThat(client.namespaces().list().getItems()).isNotEmpty();
      await().atMost(SOON).until(() -> !watch.connected().containsValue(false));
    }
    assertThat(proxy.heads)
        .hasSizeGreaterThan(1)
        .allSatisfy(
            head -> assertThat(head).startsWith("CONNECT %s ".formatted(address.substring(8))));
  }

  private KubernetesClient client(String address, String more, Map<String, String> environment)
      throws IOException {
    String text =
        server
            .kubeconfig()
            .replace(
                "\"https://127.0.0.1:%d\"".formatted(server.port()),
                "\"%s\"%s".formatted(address, more.isEmpty() ? "" : ", " + more));
    Path file = Files.writeString(directory.resolve("config"), text);
    return KubeClients.client(
        KubeClients.configuration(
            Optional.of(file), Optional.empty(), environment, directory, directory, WALL));
  }
}
