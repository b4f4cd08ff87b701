package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who may read metrics and the API with the shipped roles, as a real API server says it, asked with
 * the rights of the shipped service account.
 */
@Tag("real-apiserver")
class RealAccessIT {
  private static final String API = "/api/v1/status";

  @TempDir private static Path directory;
  private static final ControllerFixture fixture = new ControllerFixture();
  private static final HttpClient http = HttpClient.newHttpClient();
  private static RealApiServer server;
  private static Kubectl kubectl;
  private static int probePort;

  @BeforeAll
  static void start() throws Exception {
    server = RealApiServer.shared();
    kubectl = Kubectl.of(server, directory);
    kubectl.run("apply", "-f", "deploy/first");
    kubectl.run("apply", "-k", "deploy/kustomize/overlays/outside");
    for (String account : new String[] {"scraper", "viewer", "nobody"}) {
      kubectl.run("-n", "poolkeeper", "create", "serviceaccount", account);
    }
    bind("scraper", "poolkeeper-metrics-reader");
    bind("viewer", "poolkeeper-viewer");
    try (ServerSocket free = new ServerSocket(0)) {
      probePort = free.getLocalPort();
    }
    String own = server.kubeconfig().replaceAll("token: \\w+", "token: " + token("poolkeeper"));
    assertThat(own).doesNotContain("secret");
    Path kubeconfig = Files.writeString(directory.resolve("own"), own);
    fixture.startController(
        KubeClients.create(Optional.of(kubeconfig), InstantSource.system()),
        "poolkeeper.http { authorization = required, probe-port = %d }".formatted(probePort));
  }

  @AfterAll
  static void stop() throws Exception {
    http.shutdownNow();
    fixture.close();
  }

  private static void bind(String account, String role) throws Exception {
    kubectl.run(
        "create",
        "clusterrolebinding",
        account,
        "--clusterrole=" + role,
        "--serviceaccount=poolkeeper:" + account);
  }

  /** For the API server, as a Secret's. */
  private static String token(String account) throws Exception {
    return kubectl.run("-n", "poolkeeper", "create", "token", account).getFirst();
  }

  private static String ours(String account) throws Exception {
    return kubectl
        .run("-n", "poolkeeper", "create", "token", account, "--audience", "poolkeeper")
        .getFirst();
  }

  private static HttpResponse<String> get(String path, String token) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(fixture.url() + path)).timeout(Duration.ofSeconds(10));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void eachRole_opensItsArea_andNoOther() throws Exception {
    String scraper = token("scraper");
    String viewer = ours("viewer");

    eventually(() -> assertThat(get("/metrics", scraper).statusCode()).isEqualTo(200));
    eventually(() -> assertThat(get(API, viewer).statusCode()).isEqualTo(200));
    assertThat(get("/metrics", ours("scraper")).statusCode()).isEqualTo(200);
    assertThat(get(API, ours("scraper")).body())
        .isEqualTo(
            "system:serviceaccount:poolkeeper:scraper may not get /: bind ClusterRole"
                + " poolkeeper-viewer to it\n");
    assertThat(get("/metrics", viewer).statusCode()).isEqualTo(403);
  }

  /** Kubernetes lets every account get /api/*; that must not be enough. */
  @Test
  void anAccountWithoutRole_seesNothing() throws Exception {
    assertThat(get(API, ours("nobody")).statusCode()).isEqualTo(403);
    assertThat(get("/metrics", token("nobody")).statusCode()).isEqualTo(403);
  }

  /** What the page gets to see is of no use at the API server. */
  @Test
  void tokenForTheApiServer_opensMetricsAlone_andOurs_isNoneThere() throws Exception {
    assertThat(get(API, token("viewer")).body())
        .contains("create token ACCOUNT --audience poolkeeper");
    assertThat(get(API, token("viewer")).statusCode()).isEqualTo(401);
    String config = server.kubeconfig().replaceAll("token: \\w+", "token: " + ours("viewer"));
    Path file = Files.writeString(directory.resolve("viewer"), config);
    try (KubernetesClient caught = KubeClients.create(Optional.of(file), InstantSource.system())) {
      assertThatThrownBy(() -> caught.pods().list()).hasMessageContaining("Unauthorized");
    }
  }

  @Test
  void readiness_namesWhatIsWrong_andToThoseWhoMayReadWhatThatSays() throws Exception {
    String error = "\"listing load balancers: ";
    fixture.arm.fault("{\"method\":\"GET\",\"path\":\".*/loadBalancers\",\"status\":500}");
    Path service =
        Files.writeString(
            directory.resolve("service.yaml"),
            """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: default}
            spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}
            """);
    // It is looked for in a new listing.
    kubectl.run("apply", "-f", service.toString());

    eventually(() -> assertThat(get("/readyz", ours("viewer")).body()).contains(error, "HTTP 500"));
    assertThat(get("/readyz", "").body())
        .contains("\"listing load balancers\"")
        .doesNotContain("500");
    assertThat(get("/readyz", ours("nobody")).statusCode()).isEqualTo(403);
  }

  @Test
  void noToken_orNoneOfThisCluster_isRefused() throws Exception {
    assertThat(get(API, "").headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(get(API, "").statusCode()).isEqualTo(401);
    assertThat(get(API, "abc.def.ghi").statusCode()).isEqualTo(401);
    assertThat(get("/metrics/", "").statusCode()).isEqualTo(404);
    assertThat(get("/api/v1/pools/../status", "").statusCode()).isEqualTo(401);
  }

  @Test
  void healthAndTheFilesOfThePage_areOpen() throws Exception {
    for (String path : new String[] {"/healthz", "/", "/page.js"}) {
      assertThat(get(path, "").statusCode()).as(path).isEqualTo(200);
    }
    HttpRequest probe =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/healthz".formatted(probePort)))
            .build();
    assertThat(http.send(probe, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }
}
