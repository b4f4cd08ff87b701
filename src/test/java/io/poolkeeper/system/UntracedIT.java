package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the controller loads while nothing is traced: nothing of OpenTelemetry's SDK. */
class UntracedIT {
  @TempDir private Path directory;

  /** Neither cluster nor Azure answers; the clients to both are built all the same. */
  @Test
  void withoutAVariable_noClassOfTheSdkIsLoaded() throws Exception {
    Path config =
        Files.writeString(
            directory.resolve("poolkeeper.conf"),
            """
            poolkeeper {
              mode = write
              azure {
                subscription-id = "00000000-0000-0000-0000-00000000000a"
                resource-group = rg
                vnet-id = "/subscriptions/00000000-0000-0000-0000-00000000000a/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/net"
                endpoint = "http://127.0.0.1:9"
                credential = none
              }
              leader-election.enabled = false
              http.port = 0
            }
            """);
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:9"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """);
    Path loads = directory.resolve("loads");
    Map<String, String> env =
        Map.of(
            "KUBECONFIG",
            kubeconfig.toString(),
            "POOLKEEPER_JAVA_OPTS",
            "-Xlog:class+load:file=" + loads);
    try (Program run = Program.start(directory, env, "run", "--config", config.toString())) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> run.err().stream().anyMatch(line -> line.contains("listing=failed")));
      assertThat(run.terminate()).isZero();
      assertThat(run.err()).allMatch(SeparateRunIT::isLog);
    }
    assertThat(Files.readAllLines(loads))
        .as("azure-core asks whether there is a tracer")
        .anyMatch(line -> line.contains(" io.opentelemetry.api.GlobalOpenTelemetry "))
        .noneMatch(line -> line.contains(" io.opentelemetry.sdk."));
  }
}
