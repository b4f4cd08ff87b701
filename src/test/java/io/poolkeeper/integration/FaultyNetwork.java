package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.RealApiServer;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A real API server with one Service, whose pool holds n1, a simulated ARM, and a controller that
 * reaches both through ports at which a test may break the network. The test itself reaches them
 * directly.
 */
final class FaultyNetwork implements AutoCloseable {
  static final String POOL = "default-web";

  /** More than a connection carries that is cut in the middle of their list; so are the pools. */
  private static final int NODES = 40;

  private static final int POOLS = 20;

  final ControllerFixture fixture = new ControllerFixture();
  final RealApiServer server = RealApiServer.shared();
  private final KubernetesClient admin =
      new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(server.kubeconfig())).build();

  FaultyNetwork() {
    for (int node = 1; node <= 3; node++) {
      InstalledCluster.node(admin, node);
    }
    String text = "x".repeat(3_000);
    for (int node = 0; node < NODES; node++) {
      apply(
          "apiVersion: v1\nkind: Node\nmetadata: {name: many-%d, annotations: {text: %s}}"
              .formatted(node, text));
    }
    String uid =
        apply(
                """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: default}
                spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}
                """)
            .getMetadata()
            .getUid();
    String prefix = "a" + uid.replace("-", "").substring(0, 31);
    List<Seed> pools = new ArrayList<>();
    pools.add(Seed.of(POOL, prefix).holding(Map.of("10.0.0.1", "n1")));
    for (int pool = 0; pool < POOLS; pool++) {
      pools.add(Seed.of("many-" + pool, "any-" + pool));
    }
    fixture.arm.put(LB, pools.toArray(Seed[]::new));
    endpointsOn("n1");
  }

  /**
   * Starts a controller.
   *
   * @param kube the port by which it reaches the API server
   * @param arm the port by which it reaches ARM
   * @param silent the longest time in which a byte of an answer must come
   */
  void start(int kube, int arm, Duration silent, WatchLiveness.Limits watches, String hocon)
      throws IOException {
    fixture.startController(
        server.client(kube, silent),
        watches,
        "poolkeeper.azure.endpoint = \"http://127.0.0.1:%d\"\n%s".formatted(arm, hocon));
  }

  HasMetadata apply(String yaml) {
    return admin.resource(yaml).createOr(NonDeletingOperation::update);
  }

  void endpointsOn(String node) {
    apply(InstalledCluster.slice(node));
  }

  /** The cloud provider says that it has written the pool. */
  void peerWrites() {
    apply(
        """
        apiVersion: v1
        kind: Event
        metadata: {name: written, namespace: default}
        involvedObject: {kind: Service, namespace: default, name: web}
        source: {component: azure-cloud-provider}
        reason: LoadBalancerBackendPoolUpdated
        type: Normal
        """);
  }

  /** Waits until the pool holds this node alone. */
  void awaitMember(String node, Duration time) {
    within(time).untilAsserted(() -> assertThat(members()).containsExactly(node));
  }

  List<String> members() {
    return List.copyOf(fixture.arm.members(LB, POOL).values());
  }

  /** The writes of the pool since the mark. */
  int writes(int mark) {
    return fixture.arm.puts(LB, POOL, mark).size();
  }

  /** Waits until {@code /readyz} names this, whether or not it is ready. */
  void awaitWhy(String text, Duration time) {
    within(time).untilAsserted(() -> assertThat(why()).anyMatch(one -> one.contains(text)));
  }

  /** Waits until {@code /readyz} is content, and it leads. */
  void awaitWell(Duration time) {
    within(time)
        .untilAsserted(
            () -> {
              JsonNode answer = fixture.get("/readyz").json();
              assertThat(answer.path("why")).isEmpty();
              assertThat(answer.path("ready").asBoolean()).isTrue();
              assertThat(answer.path("role").asText()).isEqualTo("leader");
            });
  }

  private List<String> why() {
    return texts(fixture.get("/readyz").json().path("why"), JsonNode::asText);
  }

  /** Waits until the status names a cause of this key. */
  void awaitCause(String key, Duration time) {
    within(time)
        .untilAsserted(
            () ->
                assertThat(
                        texts(
                            fixture.get("/api/v1/status").json().path("causes"),
                            cause -> cause.path("key").asText()))
                    .contains(key));
  }

  private static List<String> texts(JsonNode array, Function<JsonNode, String> text) {
    return StreamSupport.stream(array.spliterator(), false).map(text).toList();
  }

  /** All metrics. */
  String scrape() {
    return fixture.get("/metrics").body();
  }

  /** The sum of the samples of a metric whose line begins so. */
  double metric(String beginning) {
    return scrape()
        .lines()
        .filter(line -> line.startsWith(beginning))
        .collect(Collectors.summingDouble(line -> Double.parseDouble(line.split(" ", -1)[1])));
  }

  @Override
  public void close() throws IOException {
    fixture.close();
    admin.close();
  }
}
