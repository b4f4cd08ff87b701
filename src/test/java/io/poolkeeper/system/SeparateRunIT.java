package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.lab.Blueprint;
import io.poolkeeper.lab.judge.ArmHttp;
import io.poolkeeper.lab.judge.Judge;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lab without a controller in one process, the controller on what the lab printed in another,
 * and a second controller after that one was killed.
 */
class SeparateRunIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;

  private Program startLab() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return lab(directory, free.getLocalPort());
    }
  }

  /** A rehearsal that waits for a controller on that port, and stays when it is over. */
  static Program lab(Path directory, int port) throws IOException {
    String command = "lab burst --keep --no-controller --interval 500ms --port " + port;
    return Program.start(directory, Map.of(), command.split(" "));
  }

  private Program startRun(Path kubeconfig, String config) throws IOException {
    return Program.start(
        directory,
        // As a container that is restarted in its Pod.
        Map.of("KUBECONFIG", kubeconfig.toString(), "POD_NAME", "poolkeeper-0", "POD_UID", "0"),
        "run",
        "--config",
        config);
  }

  @Test
  @Tag("full")
  void aSeparateRunPassesTheRehearsalAndKilledWhileItWritesLosesNothing() throws Exception {
    try (Program lab = startLab()) {
      Path kubeconfig = Path.of(lab.awaitOut("kubeconfig "));
      URI arm = URI.create(lab.awaitOut("arm "));
      String config = lab.awaitOut("config ");
      try (KubernetesClient client =
              KubeClients.create(Optional.of(kubeconfig), InstantSource.system());
          ArmHttp http = new ArmHttp(arm)) {
        Judge judge = new Judge(client, http, Blueprint.paths());
        try (Program killed = startRun(kubeconfig, config)) {
          lab.awaitOut("  kept running");
          assertSound(killed);
          changeEverySlice(client, 0);
          killed.kill();
        }
        changeEverySlice(client, 1);
        assertThat(judge.look().all()).isNotEmpty();

        try (Program next = startRun(kubeconfig, config)) {
          await().atMost(SOON).untilAsserted(() -> assertThat(judge.look().all()).isEmpty());

          assertThat(next.terminate()).isZero();
          assertSound(next);
        }
      }
      int code = lab.terminate();

      assertThat(code).isZero();
      assertThat(lab.out()).anyMatch(line -> line.strip().equals("passed"));
      assertThat(lab.err()).isEmpty();
      assertThat(kubeconfig).doesNotExist();
      assertThat(kubeconfig.getParent()).doesNotExist();
    }
  }

  private static void assertSound(Program run) {
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).allMatch(SeparateRunIT::isLog);
    assertThat(run.err()).noneMatch(line -> line.contains("level=ERROR"));
  }

  static boolean isLog(String line) {
    return line.matches("time=\\S+Z level=(ERROR|WARN|INFO) logger=\\S+ .*");
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
