package io.poolkeeper.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServiceStatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EmbeddedClusterTest {
  private final EmbeddedCluster cluster = EmbeddedCluster.start(0);

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void create_object_isStampedAsByARealServer() {
    ConfigMap created = create("a");

    assertThat(UUID.fromString(created.getMetadata().getUid())).isNotNull();
    assertThat(Long.parseLong(created.getMetadata().getResourceVersion())).isPositive();
    assertThat(Instant.parse(created.getMetadata().getCreationTimestamp())).isNotNull();
    assertThat(created.getMetadata().getGeneration()).isEqualTo(1);
  }

  @Test
  void restart_afterAStop_servesTheSameObjectsOnTheSamePort() {
    ConfigMap created = create("a");
    int port = cluster.port();

    cluster.stop();
    assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(() -> get("a"));
    cluster.restart();

    assertThat(cluster.port()).isEqualTo(port);
    assertThat(get("a")).isEqualTo(created);
    assertThat(Long.parseLong(create("b").getMetadata().getResourceVersion()))
        .isGreaterThan(Long.parseLong(created.getMetadata().getResourceVersion()));
  }

  @Test
  void kubeconfig_connectsAnyClient() {
    create("a");

    try (KubernetesClient other =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfigYaml()))
            .build()) {
      assertThat(other.configMaps().inNamespace("default").list().getItems()).hasSize(1);
    }
  }

  /** What kubectl asks before it sends a name. */
  @Test
  void raw_ofTheServerItself_namesWhatItServes_andNothingElse() {
    assertThat(cluster.client().raw("/api")).contains("\"versions\":[\"v1\"]");
    assertThat(cluster.client().raw("/api/v1?timeout=32s"))
        .contains("\"groupVersion\":\"v1\"", "\"name\":\"nodes\"", "\"shortNames\":[\"no\"]");
    assertThat(cluster.client().raw("/apis"))
        .contains("\"groupVersion\":\"discovery.k8s.io/v1\"")
        .doesNotContain("poolkeeper.io");
    assertThat(cluster.client().raw("/openapi/v2")).isNull();
  }

  @Test
  void watch_fromBeforeTheLastDeletion_isExpired() {
    String version = create("a").getMetadata().getResourceVersion();
    cluster.client().configMaps().inNamespace("default").withName("a").delete();

    CompletableFuture<WatcherException> closed = new CompletableFuture<>();
    cluster
        .client()
        .configMaps()
        .inNamespace("default")
        .watch(new ListOptionsBuilder().withResourceVersion(version).build(), watcher(closed));

    await().atMost(Duration.ofSeconds(10)).until(closed::isDone);
    assertThat(closed.join().isHttpGone()).isTrue();
  }

  @Test
  void updateStatus_ofAnOldVersion_isAConflict() {
    KubernetesClient client = cluster.client();
    Service read =
        client
            .resource(
                new ServiceBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("web")
                    .endMetadata()
                    .build())
            .create();
    read.setStatus(new ServiceStatusBuilder().withNewLoadBalancer().endLoadBalancer().build());
    Service written = client.resource(read).updateStatus();

    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> client.resource(read).updateStatus())
        .matches(conflict -> conflict.getCode() == 409);
    assertThat(client.resource(written).updateStatus().getStatus()).isNotNull();
  }

  @Test
  void list_whileWatchesCloseAmongChanges_isNotHeldUp() {
    create("a");
    CompletableFuture<Void> closed = new CompletableFuture<>();
    CompletableFuture<Void> changes =
        CompletableFuture.runAsync(
            () -> {
              while (!closed.isDone()) {
                change("a", UUID.randomUUID().toString().repeat(50));
              }
            });

    for (int round = 0; round < 50; round++) {
      watchAndClose();
      assertThat(CompletableFuture.supplyAsync(() -> get("a")))
          .succeedsWithin(Duration.ofSeconds(10));
    }
    closed.complete(null);
    changes.join();
  }

  private void change(String name, String text) {
    cluster
        .client()
        .configMaps()
        .inNamespace("default")
        .withName(name)
        .edit(old -> old.edit().addToData("text", text).build());
  }

  private void watchAndClose() {
    try (KubernetesClient other =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfigYaml()))
            .build()) {
      other.configMaps().inNamespace("default").watch(watcher(new CompletableFuture<>()));
    }
  }

  private static Watcher<ConfigMap> watcher(CompletableFuture<WatcherException> closed) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap object) {}

      @Override
      public void onClose(WatcherException cause) {
        closed.complete(cause);
      }
    };
  }

  private ConfigMap create(String name) {
    return cluster
        .client()
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build())
        .create();
  }

  private ConfigMap get(String name) {
    return cluster.client().configMaps().inNamespace("default").withName(name).get();
  }
}
