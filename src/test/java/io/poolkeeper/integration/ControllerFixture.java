package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.config.LoadedSettings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.process.Controller;
import io.poolkeeper.process.Entropy;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/**
 * A cluster, an ARM and, from {@link #startController} to {@link #stopController}, the whole
 * controller between them, configured by a file as a user would.
 */
final class ControllerFixture implements AutoCloseable {
  static final String UPDATED = "LoadBalancerBackendPoolUpdated";
  static final String RETRYING = "LoadBalancerBackendPoolUpdateRetrying";
  static final String FAILED = "LoadBalancerBackendPoolUpdateFailed";

  /** The load balancer on which the canary has its pool. */
  static final String LB = "kubernetes";

  /** The patience for everything that should happen at once. */
  private static final Duration SOON = Duration.ofSeconds(15);

  private static final JsonMapper JSON = new JsonMapper();

  final SimulatedCluster cluster = new SimulatedCluster();
  final SimulatedArm arm = new SimulatedArm();
  private final HttpClient http = HttpClient.newHttpClient();
  private Map<String, String> env = Map.of();
  private final Path directory;
  private @Nullable KubernetesClient client;
  private @Nullable Controller controller;
  private @Nullable URI api;

  /** Starts an empty cluster and an empty resource group. */
  ControllerFixture() {
    try {
      directory = Files.createTempDirectory("poolkeeper-it");
    } catch (IOException unusable) {
      throw new java.io.UncheckedIOException(unusable);
    }
  }

  /** An answer of the controller's HTTP API. */
  record Answer(int status, String type, String body) {
    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException wrong) {
        throw new AssertionError(body, wrong);
      }
    }
  }

  /** The environment of controllers that are started later. */
  void environment(Map<String, String> next) {
    env = Map.copyOf(next);
  }

  /** Starts a controller; {@code hocon} overrides the basic configuration. */
  void startController(String hocon) throws IOException {
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), cluster.kubeconfig());
    startController(KubeClients.create(Optional.of(kubeconfig), InstantSource.system()), hocon);
  }

  /** Starts one that uses a client of another cluster, and closes it. */
  void startController(KubernetesClient by, String hocon) throws IOException {
    startController(by, WatchLiveness.Limits.SHIPPED, hocon);
  }

  /** Starts one whose watches have other limits. */
  void startController(KubernetesClient by, WatchLiveness.Limits watches, String hocon)
      throws IOException {
    Path config = Files.writeString(directory.resolve("poolkeeper.conf"), settings() + hocon);
    LoadedSettings loaded = SettingsLoader.load(config, Optional.empty(), Map.of());
    client = by;
    controller = Controller.start(new Controller.Deps(loaded, by, Entropy.system(), env, watches));
    InetSocketAddress address = done(controller.httpAddress());
    api = URI.create("http://%s:%d".formatted(address.getHostString(), address.getPort()));
  }

  String settings() {
    return """
    poolkeeper {
      mode = write
      azure {
        subscription-id = "%s"
        resource-group = "%s"
        load-balancers = ["kubernetes", "Second-LB"]
        vnet-id = "%s"
        endpoint = "%s"
        credential = none
      }
      updater.interval = 500ms
      leader-election.enabled = false
      http.port = 0
    }
    """
        .formatted(
            SimulatedArm.SUBSCRIPTION, SimulatedArm.GROUP, SimulatedArm.NETWORK, arm.endpoint());
  }

  void stopController() {
    if (controller != null) {
      done(controller.stop());
      controller = null;
    }
    if (client != null) {
      client.close();
      client = null;
    }
  }

  /** Completes when it has ended by itself, with the reason. */
  CompletionStage<Optional<String>> ended() {
    return Objects.requireNonNull(controller).ended();
  }

  /** Where its page is. */
  URI url() {
    return Objects.requireNonNull(api);
  }

  Answer get(String path) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(api + path)).timeout(Duration.ofSeconds(10)).build();
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      String type = answer.headers().firstValue("Content-Type").orElse("");
      return new Answer(answer.statusCode(), type, answer.body());
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** The item of {@code /api/v1/pools} of a pool. */
  JsonNode pool(String loadBalancer, String pool) {
    Answer answer = get("/api/v1/pools/" + loadBalancer + "/" + pool);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  void awaitReady() {
    eventually(
        () -> {
          Answer answer = get("/readyz");
          assertThat(answer.body()).isEqualTo("{\"ready\":true,\"why\":[],\"role\":\"leader\"}");
          assertThat(answer.status()).isEqualTo(200);
        });
  }

  /** Waits until ARM holds exactly these entries, address to name. */
  void awaitMembers(String loadBalancer, String pool, Map<String, String> members) {
    eventually(() -> assertThat(arm.members(loadBalancer, pool)).isEqualTo(members));
  }

  /** The events about a Service of one reason; waits until there are any. */
  List<Event> awaitEvents(String service, String reason) {
    return within(SOON).until(() -> events(service, reason), found -> !found.isEmpty());
  }

  List<Event> events(String service, String reason) {
    return cluster.events(service).stream()
        .filter(event -> event.getReason().equals(reason))
        .toList();
  }

  static void eventually(ThrowingRunnable assertion) {
    within(SOON).untilAsserted(assertion);
  }

  static ConditionFactory within(Duration time) {
    return Awaitility.await().atMost(time).pollDelay(Duration.ZERO).pollInterval(POLL);
  }

  private static final Duration POLL = Duration.ofMillis(20);

  private static <T> T done(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Override
  public void close() throws IOException {
    stopController();
    http.shutdownNow();
    arm.close();
    cluster.close();
    for (String file : List.of("kubeconfig", "poolkeeper.conf")) {
      Files.deleteIfExists(directory.resolve(file));
    }
    Files.deleteIfExists(directory);
  }
}
