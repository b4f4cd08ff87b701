package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API server stops and restarts; the mirrors converge to it, whatever changed meanwhile. */
class ApiServerOutageIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final ActorTestKit kit = ActorTestKit.create();
  private final EmbeddedCluster cluster = EmbeddedCluster.start(0);
  private final Mirrors mirrors = new Mirrors(kit);
  private KubernetesClient watched;
  private ClusterWatch watch;

  @TempDir Path directory;

  @BeforeEach
  void connect() throws IOException {
    Path kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(kubeconfig, cluster.kubeconfigYaml());
    watched = KubeClients.create(Optional.of(kubeconfig), InstantSource.system());
    client().resource(Samples.localService("web")).create();
    client().resource(Samples.slice("web-1", "web", "node-1", "node-2")).create();
    client().resource(Samples.slice("web-2", "web", "node-3")).create();
    client().nodes().resource(Samples.node("node-1", "10.0.0.1")).create();
    client().nodes().resource(Samples.node("node-2", "10.0.0.2")).create();
  }

  @AfterEach
  void stop() {
    if (watch != null) {
      watch.close();
    }
    watched.close();
    cluster.close();
    kit.shutdownTestKit();
  }

  @Test
  void outage_withChangesDuringIt_losesNothing() {
    start();
    await().atMost(SOON).until(() -> watch.health().stream().allMatch(WatchHealth::synced));
    awaitMirrorsEqual();

    cluster.stop();
    await().atMost(SOON).until(() -> watch.health().stream().noneMatch(WatchHealth::connected));
    assertThat(watch.health().getFirst().problem().orElseThrow())
        .startsWith("watch of nodes is not connected");
    changeUnseen();
    cluster.restart();

    awaitMirrorsEqual();
    assertThat(mirrors.slices().content()).containsKeys(key("web-3"), key("web-4")).hasSize(3);
    assertThat(mirrors.slices().timesSynced()).isEqualTo(1);
    await().atMost(SOON).until(() -> watch.health().stream().allMatch(WatchHealth::connected));
    assertThat(watch.health()).noneMatch(health -> health.problem().isPresent());
  }

  @Test
  void longOutage_losesTheWatches_untilTheyHaveListedAnew() {
    watch =
        mirrors.watch(
            watched,
            new WatchLiveness.Limits(
                Duration.ofMillis(50), Duration.ofMillis(500), Duration.ofMinutes(5)));
    await().atMost(SOON).until(() -> watch.health().stream().allMatch(WatchHealth::synced));
    awaitMirrorsEqual();

    cluster.stop();
    await().atMost(SOON).until(() -> mirrors.nodes().lost() && mirrors.slices().lost());
    assertThat(watch.health().getFirst().problem().orElseThrow())
        .startsWith("watch of nodes is lost: nothing is removed or repaired");
    changeUnseen();
    cluster.restart();

    await().atMost(SOON).until(() -> mirrors.slices().timesSynced() == 2);
    awaitMirrorsEqual();
    await().atMost(SOON).until(() -> watch.health().stream().noneMatch(WatchHealth::lost));
    assertThat(mirrors.nodes().lost() || mirrors.slices().lost() || mirrors.services().lost())
        .isFalse();
  }

  @Test
  void serverDownAtTheStart_isWaitedFor() {
    cluster.stop();

    start();

    await()
        .atMost(SOON)
        .until(() -> watch.health().stream().allMatch(health -> health.lastError().isPresent()));
    assertThat(watch.health()).noneMatch(WatchHealth::synced).noneMatch(WatchHealth::connected);
    cluster.restart();
    await().atMost(SOON).until(() -> watch.health().stream().allMatch(WatchHealth::synced));
    awaitMirrorsEqual();
    assertThat(watch.health()).allMatch(health -> health.lastError().isEmpty());
  }

  private void start() {
    watch = mirrors.watch(watched);
  }

  /** Changes objects through a server on another port, which the watches do not see. */
  private void changeUnseen() {
    try (EmbeddedCluster other = cluster.onAnotherPort()) {
      KubernetesClient hidden = other.client();
      hidden.resource(Samples.slice("web-1", "web", "node-9")).update();
      hidden.resource(Samples.slice("web-1", "web")).delete();
      hidden.resource(Samples.slice("web-2", "web")).delete();
      hidden.resource(Samples.slice("web-2", "web", "node-1")).create();
      hidden.resource(Samples.slice("web-3", "web", "node-1")).create();
      hidden.resource(Samples.slice("web-4", "web", "node-2")).create();
      hidden.resource(Samples.localService("api")).create();
      hidden.nodes().withName("node-1").delete();
      hidden.nodes().resource(Samples.node("node-3", "10.0.0.3")).create();
    }
  }

  private void awaitMirrorsEqual() {
    await().atMost(SOON).untilAsserted(() -> mirrors.assertEqualTo(client()));
  }

  private KubernetesClient client() {
    return cluster.client();
  }

  private static SliceView.Key key(String name) {
    return new SliceView.Key("default", name);
  }
}
