package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.lab.scenario.ArmSeed;
import io.poolkeeper.lab.scenario.Blueprint;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lab without a controller in one process, the controller on what the lab printed in another.
 */
class SeparateRunIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private Program lab;
  private Path kubeconfig;
  private URI arm;
  private String config;

  @BeforeEach
  void startLab() throws IOException {
    lab =
        Program.start(
            directory,
            Map.of(),
            "lab",
            "burst",
            "--keep",
            "--no-controller",
            "--interval",
            "500ms");
    kubeconfig = Path.of(lab.awaitOut("kubeconfig "));
    arm = URI.create(lab.awaitOut("arm "));
    config = lab.awaitOut("config ");
  }

  @AfterEach
  void stopLab() {
    lab.close();
  }

  private Program startRun() throws IOException {
    return Program.start(
        directory, Map.of("KUBECONFIG", kubeconfig.toString()), "run", "--config", config);
  }

  @Test
  void aSeparateRunPassesTheRehearsalAndBothEndInOrder() throws Exception {
    try (Program run = startRun()) {
      lab.awaitOut("  kept running");

      int runCode = run.terminate();
      int labCode = lab.terminate();

      assertThat(lab.out()).anyMatch(line -> line.strip().equals("passed"));
      assertThat(runCode).isZero();
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).allMatch(SeparateRunIT::isLog);
      assertThat(run.err()).noneMatch(line -> line.contains("level=ERROR"));
      assertThat(labCode).isZero();
      assertThat(lab.err()).isEmpty();
      assertThat(kubeconfig).doesNotExist();
      assertThat(kubeconfig.getParent()).doesNotExist();
    }
  }

  static boolean isLog(String line) {
    return line.matches("time=\\S+Z level=(ERROR|WARN|INFO) logger=\\S+ .*");
  }

  @Test
  void aRunThatIsKilledWhileItWritesLosesNothing() throws Exception {
    try (Program killed = startRun();
        KubernetesClient client = KubeClients.create(Optional.of(kubeconfig));
        Judge judge = new Judge(client, ArmSeed.each(arm))) {
      lab.awaitOut("  kept running");
      changeEverySlice(client, 0);
      killed.kill();
      changeEverySlice(client, 1);
      assertThat(judge.differences()).isNotEmpty();

      try (Program next = startRun()) {
        await().atMost(SOON).untilAsserted(() -> assertThat(judge.differences()).isEmpty());

        assertThat(next.terminate()).isZero();
      }
    }
  }

  /** Every endpoint moves on: slices of one node each, another one each time. */
  private static void changeEverySlice(KubernetesClient client, int node) {
    List<EndpointSlice> slices =
        client.discovery().v1().endpointSlices().inNamespace(Blueprint.NAMESPACE).list().getItems();
    for (EndpointSlice slice : slices) {
      if (!slice.getEndpoints().isEmpty()) {
        slice.setEndpoints(List.of(slice.getEndpoints().getFirst()));
        slice.getEndpoints().getFirst().setNodeName(Blueprint.nodeName(node));
        client.resource(slice).update();
      }
    }
  }
}
