package io.poolkeeper.lab.cluster;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A small API server in this process, on loopback, without TLS: it stores, lists, patches and
 * watches any object, without defaults, validation, controllers, RBAC or paging. It sets uid,
 * resourceVersion, creationTimestamp and generation like a real one; the defaults of a Service
 * (cluster addresses, ipFamilies, node ports) must be set by the client. It can be stopped and
 * restarted on the same port with its objects. Not thread-safe.
 */
public final class EmbeddedCluster implements AutoCloseable {
  /** For a call that meets a stopped server: enough for a restart, which takes under a second. */
  private static final int RETRIES = 3;

  private static final Duration STOP_LIMIT = Duration.ofSeconds(3);

  /** Strong references, as java.util.logging drops the level of a collected logger. */
  private static final Logger NOISE = Logger.getLogger("io.fabric8.mockwebserver");

  /** Reports each client that leaves while an event or a close is under way to it. */
  private static final Logger LEFT =
      Logger.getLogger("io.fabric8.mockwebserver.vertx.VertxMockWebSocket");

  private final ClusterState state;
  private final int port;
  private final KubernetesClient client;
  private @Nullable KubernetesMockServer server;

  private EmbeddedCluster(ClusterState state, int wanted) {
    this.state = state;
    NOISE.setLevel(Level.WARNING);
    LEFT.setLevel(Level.OFF);
    KubernetesMockServer first = serve(wanted);
    server = first;
    port = first.getPort();
    Config config = Config.fromKubeconfig(kubeconfigYaml());
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(config)
                    .withHttp2Disable(true)
                    .withRequestRetryBackoffLimit(RETRIES)
                    .build())
            .build();
  }

  /** Starts a cluster with nothing but Namespace kube-system; port 0 takes any free one. */
  public static EmbeddedCluster start(int port) {
    EmbeddedCluster started = new EmbeddedCluster(new ClusterState(), port);
    var system = new NamespaceBuilder().withNewMetadata().withName("kube-system").endMetadata();
    started.client.resource(system.build()).create();
    return started;
  }

  /** Hears of each change of an object before any client does. */
  @FunctionalInterface
  public interface Listener {
    /** An object is now like this, as JSON; one that was removed, as it was. */
    void changed(String path, String object, boolean removed);
  }

  public void listen(Listener listener) {
    state.listen(listener);
  }

  /** A second server with the same objects, as in a cluster with two API servers. */
  public EmbeddedCluster onAnotherPort() {
    return new EmbeddedCluster(state, 0);
  }

  private KubernetesMockServer serve(int wanted) {
    KubernetesMockServer started =
        new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(), state, false);
    started.init(InetAddress.getLoopbackAddress(), wanted);
    return started;
  }

  /** The port; restarts keep it. */
  public int port() {
    return port;
  }

  /** Closed with the cluster. */
  public KubernetesClient client() {
    return client;
  }

  public String kubeconfigYaml() {
    return """
    apiVersion: v1
    kind: Config
    current-context: lab
    contexts:
    - name: lab
      context: {cluster: lab, user: lab, namespace: default}
    clusters:
    - name: lab
      cluster: {server: "http://127.0.0.1:%d"}
    users:
    - name: lab
      user: {token: lab}
    """
        .formatted(port);
  }

  /** Drops all connections and refuses new ones; the objects stay. */
  public void stop() {
    if (server != null) {
      KubernetesMockServer stopping = server;
      server = null;
      // A connection that arrives while the server closes makes it deadlock for 10 s and then fail.
      // Its port is free by then, so do not wait for it.
      CompletableFuture.runAsync(stopping::destroy, task -> Thread.ofVirtual().start(task))
          .completeOnTimeout(null, STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    }
  }

  /** Serves again, on the same port, after {@link #stop}. */
  public void restart() {
    stop();
    server = serve(port);
  }

  @Override
  public void close() {
    client.close();
    stop();
  }
}
