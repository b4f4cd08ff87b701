package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.kube.RealApiServer;
import io.poolkeeper.process.Entropy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lab's scenarios on a real kube-apiserver each, as {@code lab --kubeconfig} runs them. */
@Tag("real-apiserver")
@Execution(ExecutionMode.CONCURRENT)
class RealClusterLabIT {
  private static final int KILLS = 3;

  private RealApiServer server;
  private Path kubeconfig;

  @TempDir private Path directory;

  @BeforeEach
  void start() throws IOException {
    server = RealApiServer.start(directory);
    kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(kubeconfig, server.kubeconfig());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private LabOptions options(Scenario scenario) {
    return new LabOptions(
        scenario,
        1,
        Optional.of(Duration.ofSeconds(scenario == Scenario.THROTTLE ? 2 : 1)),
        LatencyProfile.FAST,
        true,
        0,
        Optional.of(kubeconfig),
        KILLS);
  }

  /** In which nodes and slices change. */
  @Test
  void drainPassesOnARealApiServer() throws Exception {
    assertPasses(Scenario.DRAIN);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"TOUR", "DRAIN"})
  @Tag("full")
  void anyOtherScenarioPassesOnARealApiServer(Scenario scenario) throws Exception {
    assertPasses(scenario);
  }

  private void assertPasses(Scenario scenario) throws Exception {
    LabOptions options = options(scenario);

    LabReport report;
    try (Lab lab = Lab.open(options, Entropy.seeded(7), line -> {})) {
      lab.startController();
      report = lab.rehearse();
    }

    assertThat(report.checks()).allSatisfy(c -> assertThat(c.passed()).as("%s", c).isTrue());
    assertThat(report.passed()).isTrue();
    assertThat(report.notes()).hasSize(scenario.bound() ? 1 : 0);
    assertThat(report.lostUpdates()).isZero();
    // In the one all changes come before the controller starts, in the other only nodes change.
    boolean none = scenario == Scenario.RESTART_STORM || scenario == Scenario.SPOT;
    assertThat(report.propagationMillis().count() == 0).isEqualTo(none);
    if (scenario != Scenario.OTHER_WRITER) {
      assertThat(report.arm().maxInFlightPerLoadBalancer()).isEqualTo(1);
    }
  }

  @Test
  void aClusterWithSomebodysNodeIsRefusedAndLeftAlone() {
    Config config = Config.fromKubeconfig(server.kubeconfig());
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      client
          .resource(new NodeBuilder().withNewMetadata().withName("somebodys").endMetadata().build())
          .create();
      LabOptions options = options(Scenario.BURST);

      assertThatThrownBy(() -> Lab.open(options, Entropy.seeded(7), line -> {}))
          .isInstanceOf(LabException.class)
          .hasMessageContaining("the Node somebodys, which the lab did not make");

      assertThat(client.services().inAnyNamespace().list().getItems()).hasSize(1);
    }
  }
}
