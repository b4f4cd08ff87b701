package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the controller loads while nothing is traced: nothing of OpenTelemetry's SDK. */
class UntracedIT {
  private static final String SDK = "io.opentelemetry.sdk";

  @TempDir private Path directory;

  /** Neither cluster nor Azure answers; the clients to both are built all the same. */
  private List<String> loads(Map<String, String> env) throws Exception {
    Path config =
        Files.writeString(
            directory.resolve("poolkeeper.conf"),
            """
            poolkeeper {
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
    try (Program run =
        Program.start(
            directory, env(env, kubeconfig, loads), "run", "--config", config.toString())) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> run.err().stream().anyMatch(line -> line.contains("listing=failed")));
      assertThat(run.terminate()).isZero();
      assertThat(run.err()).allMatch(SeparateRunIT::isLog);
    }
    return Files.readAllLines(loads);
  }

  private static Map<String, String> env(Map<String, String> more, Path kubeconfig, Path loads) {
    Map<String, String> all = new HashMap<>(more);
    all.put("KUBECONFIG", kubeconfig.toString());
    all.put("POOLKEEPER_JAVA_OPTS", "-Xlog:class+load:file=" + loads);
    return all;
  }

  @Test
  void withoutAVariable_noClassOfTheSdkIsLoaded_andWithOneItIs() throws Exception {
    assertThat(loads(Map.of())).hasSizeGreaterThan(5_000).noneMatch(line -> line.contains(SDK));
    assertThat(loads(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")))
        .anyMatch(line -> line.contains(SDK));
  }
}
