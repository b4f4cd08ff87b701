package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image in a Pod's place, with the rights that the chart gives it on a real API server, and
 * with an ARM that wants tokens: installed in shadow, then live, then uninstalled.
 */
@Tag("image")
@Tag("real-apiserver")
@Tag("full")
class RealPodIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CHART = Path.of("deploy", "chart").toAbsolutePath().toString();
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String GROUP =
      "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/rg";
  private static final String KINDS =
      "nodes,services,endpointslices,leases,bpb,crd,configmaps,serviceaccounts,deployments,pdb,"
          + "roles,rolebindings,clusterroles,clusterrolebindings";
  private static final Path FILES = Path.of("src", "test", "resources", "pod");

  @TempDir private Path directory;
  private RealApiServer server;
  private Kubectl kubectl;
  private TakenApartImage image;
  private Path settings;
  private Path account;
  private Path values;
  private Path state;
  private int port;

  @BeforeEach
  void start() throws Exception {
    image = new TakenApartImage(directory);
    server = RealApiServer.start(directory);
    kubectl = Kubectl.of(server, directory);
    settings = Files.createDirectory(directory.resolve("etc"));
    account = Files.createDirectory(directory.resolve("account"));
    state = directory.resolve("arm.json");
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    values =
        Files.writeString(
            directory.resolve("values.yaml"),
            Files.readString(FILES.resolve("values.yaml")).replace("PORT", String.valueOf(port)));
    kubectl.run("apply", "-f", "deploy/first");
    kubectl.run("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all");
    kubectl.run("apply", "-f", FILES.resolve("objects.yaml").toString());
    String address =
        "{\"status\":{\"addresses\":[{\"type\":\"InternalIP\",\"address\":\"10.0.0.1\"}]}}";
    kubectl.run("patch", "node", "n1", "--subresource=status", "--type=merge", "-p", address);
    seed();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** By an ARM without TLS, whose state the other one then has. */
  private void seed() throws Exception {
    String uid = text("get", "service", "web", "-o=jsonpath={.metadata.uid}").replace("-", "");
    try (Program plain = arm();
        HttpClient http = HttpClient.newHttpClient()) {
      plain.awaitOut("listening on ");
      put(http, GROUP, "{\"location\":\"westeurope\"}");
      put(http, "/_behavior", "{\"parentAddresses\":\"replaced\"}");
      put(
          http,
          balancer("kubernetes"),
          body("kubernetes", "default-web", "a" + uid.substring(0, 31)));
      put(http, balancer("gateway"), body("gateway", "blue", "any"));
      assertThat(plain.terminate()).isZero();
    }
  }

  private Program arm(String... more) throws IOException {
    List<String> command = new ArrayList<>(List.of("arm-sim", "--port", String.valueOf(port)));
    command.addAll(List.of("--state", state.toString()));
    command.addAll(List.of(more));
    return Program.start(directory, Map.of(), command.toArray(String[]::new));
  }

  private static String balancer(String name) {
    return GROUP + "/providers/Microsoft.Network/loadBalancers/" + name;
  }

  private static String body(String balancer, String pool, String rule) {
    return """
        {"location": "westeurope", "properties": {
          "frontendIPConfigurations": [{"name": "frontend"}],
          "backendAddressPools": [{"name": "%2$s"}],
          "loadBalancingRules": [{"name": "%3$s-TCP-80", "properties": {"protocol": "Tcp",
            "frontendPort": 80, "backendAddressPool": {"id": "%1$s/backendAddressPools/%2$s"}}}]}}
        """
        .formatted(balancer(balancer), pool, rule);
  }

  private void put(HttpClient http, String path, String body) throws Exception {
    URI to = URI.create("http://127.0.0.1:%d%s?api-version=2025-05-01".formatted(port, path));
    HttpRequest request = HttpRequest.newBuilder(to).PUT(BodyPublishers.ofString(body)).build();
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
  }

  private void release(String what, String... arguments) throws Exception {
    String helm = Path.of(System.getProperty("kube.native.dir"), "bin", "helm").toString();
    List<String> command = new ArrayList<>(List.of(helm, what, "poolkeeper", "-n", "poolkeeper"));
    command.addAll(List.of("--kubeconfig", kubectl.kubeconfig().toString()));
    command.addAll(List.of(arguments));
    Program done = Program.run(directory, command);
    assertThat(done.exitCode()).as(String.join("\n", done.err())).isZero();
  }

  private String text(String... arguments) throws IOException, InterruptedException {
    return String.join("\n", kubectl.run(arguments));
  }

  /** What the kubelet would start for the Deployment, with the account's token and files. */
  private Program pod() throws Exception {
    String own = "-n=poolkeeper";
    Files.writeString(
        settings.resolve("poolkeeper.conf"),
        text(own, "get", "cm", "poolkeeper", "-o=jsonpath={.data.poolkeeper\\.conf}"));
    Files.writeString(account.resolve("token"), text(own, "create", "token", "poolkeeper"));
    Config admin = Config.fromKubeconfig(server.kubeconfig());
    Files.write(account.resolve("ca.crt"), Files.readAllBytes(Path.of(admin.getCaCertFile())));
    Files.writeString(account.resolve("namespace"), "poolkeeper");
    JsonNode container =
        JSON.readTree(text(own, "get", "deployment", "poolkeeper", "-o=json"))
            .at("/spec/template/spec/containers/0");
    URI api = URI.create(admin.getMasterUrl());
    Map<String, String> environment = new HashMap<>();
    environment.put("KUBERNETES_SERVICE_HOST", api.getHost());
    environment.put("KUBERNETES_SERVICE_PORT", String.valueOf(api.getPort()));
    for (JsonNode variable : container.path("env")) {
      JsonNode value = variable.path("value"); // else of the Pod, or of a Secret
      environment.put(variable.path("name").asText(), value.isTextual() ? value.asText() : "pod-1");
    }
    List<String> command = image.entrypoint();
    container.path("args").forEach(word -> command.add(word.asText()));
    return Program.start(directory, environment, image.inContainer(settings, account, command));
  }

  private String command(String name) throws IOException {
    return String.join(
        "\n",
        Program.run(directory, image.inContainer(settings, account, image.command(name))).out());
  }

  private void awaitHeadline(String text) {
    await().atMost(SOON).untilAsserted(() -> assertThat(command("status")).contains(text));
  }

  /** The entries of each pool, in the order of the load balancers. */
  private List<String> entries() throws IOException {
    List<String> found = new ArrayList<>();
    JSON.readTree(state.toFile())
        .findValues("loadBalancerBackendAddresses")
        .forEach(entries -> entries.forEach(entry -> found.add(entry.path("name").asText())));
    return found;
  }

  /** Names of all objects, and all that is in nodes and bindings, but for versions. */
  private List<String> objects() throws Exception {
    List<String> all = new ArrayList<>(kubectl.run("get", KINDS, "-A", "-o=name"));
    all.removeIf(name -> name.contains("/apiserver-") || name.contains("kube-root-ca"));
    text("get", "nodes,bpb,leases", "-A", "-o=json")
        .lines()
        .filter(line -> !line.matches(".*\"(resourceVersion|renewTime|acquireTime)\".*"))
        .filter(line -> !line.contains("previous-holder"))
        .map(line -> line.replaceAll(",$", ""))
        .forEach(all::add);
    return all;
  }

  @Test
  void installedInShadow_thenLive_thenUninstalled_leavesOnlyTheProvidersMembers() throws Exception {
    List<String> before = objects();
    Path ca = settings.resolve("ca.pem");
    try (Program arm = arm("--tls", "--require-token", "--ca-file", ca.toString())) {
      arm.awaitOut("listening on ");
      release("install", CHART, "-f", values.toString());
      for (Path each : List.of(directory, settings, account, ca)) {
        Files.setPosixFilePermissions(each, TakenApartImage.permissions(0755));
      }

      try (Program shadow = pod()) {
        awaitHeadline("hadow");
        assertThat(command("plan")).contains("n1", "10.0.0.1");
        assertThat(entries()).isEmpty();
        assertThat(shadow.terminate()).isZero();
        assertThat(shadow.err()).allMatch(SeparateRunIT::isLog);
      }
      release("upgrade", CHART, "-f", values.toString(), "--set", "mode=write");
      try (Program live = pod()) {
        awaitHeadline("All 2 pools are in sync.");
        assertThat(entries()).hasSize(2).contains("n1");
        kubectl.run("wait", "bpb/web", "--for=condition=Ready", "--timeout=15s");
        assertThat(live.terminate()).isZero();
        assertThat(live.err()).allMatch(SeparateRunIT::isLog);
        assertThat(live.err()).noneMatch(line -> line.contains("orbidden"));
      }
      Program uninstall =
          Program.run(
              directory,
              Map.of("POOLKEEPER_CLIENT_SECRET", "hush"),
              "uninstall",
              "--yes",
              "--config=" + settings.resolve("poolkeeper.conf"),
              "--kubeconfig=" + kubectl.kubeconfig());
      assertThat(uninstall.exitCode()).as(String.join("\n", uninstall.err())).isZero();
      release("uninstall");
    }

    assertThat(objects()).isEqualTo(before);
    assertThat(entries()).containsExactly("n1");
  }
}
