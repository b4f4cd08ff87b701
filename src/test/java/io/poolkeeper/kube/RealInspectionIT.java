package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.doctor.KubeFacts;
import io.poolkeeper.doctor.KubeFacts.LeaseName;
import io.poolkeeper.doctor.KubeRight;
import io.poolkeeper.doctor.KubeRights;
import io.poolkeeper.model.Look;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the service account of the shipped manifests may, as a real API server says it. */
@Tag("real-apiserver")
class RealInspectionIT {
  private static final String USER = "system:serviceaccount:poolkeeper:poolkeeper";
  private static final LeaseName LEADER = new LeaseName("poolkeeper", "poolkeeper-leader");

  @TempDir private Path directory;

  private static KubernetesClient as(RealApiServer server, String user) {
    Config config = Config.fromKubeconfig(server.kubeconfig());
    return new KubernetesClientBuilder()
        .withConfig(
            user.isEmpty()
                ? config
                : new ConfigBuilder(config).withImpersonateUsername(user).build())
        .build();
  }

  private List<KubeRight> needed() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("p.conf"),
            "poolkeeper.azure { subscription-id = s, resource-group = r }");
    Settings settings = SettingsLoader.loadForCommand(file, Optional.empty(), Map.of());
    return KubeRights.of(settings, LEADER.namespace());
  }

  private List<String> missing(KubeInspection inspection) throws Exception {
    KubeFacts facts = inspection.look(needed(), List.of()).toCompletableFuture().join();
    return facts.rights().entrySet().stream()
        .filter(of -> of.getValue().equals(new Look.Seen<>(false)))
        .map(of -> of.getKey().verb() + " " + of.getKey().resource())
        .toList();
  }

  @Test
  void rights_areThoseOfTheManifests_andTheOneThatIsTakenAwayIsMissing() throws Exception {
    RealApiServer server = RealApiServer.shared();
    try (KubernetesClient admin = as(server, "");
        KubernetesClient account = as(server, USER);
        KubeInspection inspection = new KubeInspection(account, InstantSource.system())) {
      Kubectl kubectl = Kubectl.of(server, directory);
      kubectl.run("apply", "-f", "deploy/first");
      kubectl.run("apply", "-f", "deploy/kustomize/base/poolkeeper.yaml");
      kubectl.run("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all");

      // A kind that is served since just now is refused with 429 for a moment.
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(
                          inspection
                              .look(List.of(), List.of())
                              .toCompletableFuture()
                              .join()
                              .bindings())
                      .isEqualTo(new Look.Seen<>(Optional.of(0))));
      KubeFacts before = inspection.look(needed(), List.of(LEADER)).toCompletableFuture().join();
      admin
          .rbac()
          .clusterRoles()
          .withName("poolkeeper")
          .edit(
              role -> {
                role.getRules().removeIf(rule -> rule.getResources().contains("endpointslices"));
                return role;
              });
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () ->
                  assertThat(missing(inspection))
                      .containsExactlyInAnyOrder("list endpointslices", "watch endpointslices"));

      assertThat(before.user()).isEqualTo(new Look.Seen<>(USER));
      assertThat(before.rights()).hasSizeGreaterThan(25);
      assertThat(before.rights().values()).containsOnly(new Look.Seen<>(true));
      assertThat(before.leases()).containsEntry(LEADER, new Look.Seen<>(Optional.empty()));
      assertThat(before.bindings()).isEqualTo(new Look.Seen<>(Optional.of(0)));
      assertThat(before.ahead().orElseThrow())
          .isBetween(Duration.ofSeconds(-3), Duration.ofSeconds(3));
    }
  }
}
