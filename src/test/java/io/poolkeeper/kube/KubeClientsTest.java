package io.poolkeeper.kube;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeClientsTest {
  private static final String GOOD =
      """
      apiVersion: v1
      kind: Config
      current-context: c
      contexts: [{name: c, context: {cluster: k, user: u}}]
      clusters: [{name: k, cluster: {server: "http://127.0.0.1:%d"}}]
      users: [{name: u, user: {token: t}}]
      """;

  private static final InstantSource WALL = InstantSource.system();

  @TempDir Path home;
  private Path noToken;

  @BeforeEach
  void noServiceAccount() {
    noToken = home.resolve("token");
  }

  @Test
  void configuration_namedFile_winsOverAllOthers() throws IOException {
    Path named = write("named", GOOD.formatted(1));
    Path other = write("other", GOOD.formatted(2));

    assertThat(master(Optional.of(named), Map.of("KUBECONFIG", other.toString())))
        .isEqualTo("http://127.0.0.1:1/");
  }

  @Test
  void create_kindsOfItsClient_areThoseThatAreWatchedAndNoOthers() throws IOException {
    Path named = write("named", GOOD.formatted(1));

    try (KubernetesClient client = KubeClients.create(Optional.of(named), WALL)) {
      KubernetesSerialization kinds = client.getKubernetesSerialization();
      assertThat(kinds.getRegisteredKubernetesResource("v1", "Node")).isEqualTo(Node.class);
      assertThat(kinds.getRegisteredKubernetesResource("v1", "Event")).isEqualTo(Event.class);
      assertThat(kinds.getRegisteredKubernetesResource("v1", "Pod")).isNull();
    }
  }

  @Test
  void configuration_environment_skipsFilesThatDoNotExist() throws IOException {
    Path other = write("other", GOOD.formatted(2));
    String list = home.resolve("absent") + ":" + other;

    assertThat(master(Optional.empty(), Map.of("KUBECONFIG", list)))
        .isEqualTo("http://127.0.0.1:2/");
  }

  @Test
  void configuration_severalFiles_areMergedAndTheFirstToSetAValueWins() throws IOException {
    Path contexts =
        write(
            "contexts",
            """
            kind: Config
            current-context: prod
            contexts:
            - {name: prod, context: {cluster: west, user: me, namespace: shop}}
            """);
    Path clusters =
        write(
            "clusters",
            """
            kind: Config
            current-context: other
            contexts:
            - {name: prod, context: {cluster: east, user: you}}
            clusters:
            - {name: west, cluster: {server: "http://127.0.0.1:4"}}
            - {name: east, cluster: {server: "http://127.0.0.1:5"}}
            """);
    Path users = write("users", "kind: Config\nusers: [{name: me, user: {token: mine}}]\n");
    String list = contexts + ":" + home.resolve("absent") + ":" + clusters + ":" + users;

    Config merged =
        KubeClients.configuration(
            Optional.empty(), Optional.empty(), Map.of("KUBECONFIG", list), home, noToken, WALL);

    assertThat(merged.getMasterUrl()).isEqualTo("http://127.0.0.1:4/");
    assertThat(merged.getAutoOAuthToken()).isEqualTo("mine");
    assertThat(merged.getNamespace()).isEqualTo("shop");
  }

  @Test
  void configuration_severalFiles_withoutTheCluster_namesThemAll() throws IOException {
    Path one = write("one", "current-context: c\ncontexts: [{name: c, context: {cluster: k}}]\n");
    Path two = write("two", "kind: Config\n");

    refused(
        Optional.empty(),
        Map.of("KUBECONFIG", one + ":" + two),
        one + ", " + two + ": clusters: no cluster \"k\" with a server, which context \"c\" names");
  }

  @Test
  void configuration_noneNamed_takesTheOneInTheHomeDirectory() throws IOException {
    Files.createDirectory(home.resolve(".kube"));
    write(".kube/config", GOOD.formatted(3));

    assertThat(master(Optional.empty(), Map.of())).isEqualTo("http://127.0.0.1:3/");
  }

  @Test
  void configuration_nothingAnywhere_saysWhereItLooked() {
    refused(
        Optional.empty(),
        Map.of(),
        "no kubeconfig: KUBECONFIG is not set, "
            + home.resolve(".kube/config")
            + " does not exist, and this is no Pod with a service account;"
            + " set KUBECONFIG to the file of the cluster");
  }

  @Test
  void configuration_podWithoutToken_isNoCluster() {
    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> master(Optional.empty(), Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1")));
  }

  @Test
  void configuration_absentFile_namesIt() {
    Path absent = home.resolve("absent");

    refused(Optional.of(absent), Map.of(), "no kubeconfig: no file " + absent);
    refused(
        Optional.empty(),
        Map.of("KUBECONFIG", absent.toString()),
        "no kubeconfig: no file " + absent);
  }

  @Test
  void configuration_directory_isRefused() {
    refused(Optional.of(home), Map.of(), home + ": cannot be read as a kubeconfig");
  }

  @Test
  void configuration_malformedFile_namesIt() throws IOException {
    Path bad = write("bad", "clusters: [{name: ");

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> master(Optional.of(bad), Map.of()))
        .withMessageStartingWith(bad + ": is no kubeconfig: ")
        .withMessageNotContaining("\n");
  }

  @Test
  void configuration_emptyFile_namesWhatIsMissing() throws IOException {
    Path empty = write("empty", "");

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> master(Optional.of(empty), Map.of()))
        .withMessageStartingWith(empty + ": ");
  }

  @Test
  void configuration_unknownCurrentContext_namesTheKnownOnes() throws IOException {
    Path file = write("f", GOOD.formatted(1).replace("current-context: c", "current-context: d"));

    refused(
        Optional.of(file), Map.of(), file + ": current-context: found \"d\", expected one of [c]");
  }

  @Test
  void configuration_clusterWithoutServer_isRefused() throws IOException {
    Path file = write("f", GOOD.formatted(1).replace("{server: \"http://127.0.0.1:1\"}", "{}"));

    refused(
        Optional.of(file),
        Map.of(),
        file + ": clusters: no cluster \"k\" with a server, which context \"c\" names");
  }

  @Test
  void configuration_proxyOfTheEnvironment_isForOtherMachines() throws IOException {
    Path near = write("near", GOOD.formatted(1).replace("http:", "https:"));
    Path far = write("far", GOOD.formatted(1).replace("http://127.0.0.1", "https://10.0.0.1"));
    Map<String, String> proxy =
        Map.of("HTTPS_PROXY", "http://proxy:3128", "NO_PROXY", "10.1.0.0/16,.svc");

    Config found = configuration(far, proxy);

    assertThat(found.getHttpsProxy()).isEqualTo("http://proxy:3128");
    assertThat(configuration(near, proxy).getHttpsProxy()).isNull();
  }

  private Config configuration(Path file, Map<String, String> environment) {
    return KubeClients.configuration(
        Optional.of(file), Optional.empty(), environment, home, noToken, WALL);
  }

  @Test
  void requireTls_plainHttp_isForThisMachineAlone_orAllowedByName() {
    Config far = new ConfigBuilder(Config.empty()).withMasterUrl("http://10.0.0.1:8080/").build();
    Config near = new ConfigBuilder(far).withMasterUrl("http://127.0.0.1:8080/").build();

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> KubeClients.requireTls(far, Map.of()))
        .withMessage(
            "kubeconfig: server: found http://10.0.0.1:8080/, allowed is https, or a server on this machine; POOLKEEPER_KUBE_PLAIN_HTTP=true allows it all the same");
    KubeClients.requireTls(far, Map.of("POOLKEEPER_KUBE_PLAIN_HTTP", "true"));
    KubeClients.requireTls(near, Map.of());
    Config round = new ConfigBuilder(near).withHttpsProxy("http://10.0.0.2:3128").build();
    assertThatExceptionOfType(KubeconfigException.class)
        .as("a proxy elsewhere would get the token")
        .isThrownBy(() -> KubeClients.requireTls(round, Map.of()));
  }

  /** An HTTP client may repeat a call by itself if a connection that it used before has ended. */
  @Test
  void once_writeWhoseConnectionEndsBeforeItsAnswer_isSentOnce() throws IOException {
    Queue<String> sent = new ConcurrentLinkedQueue<>();
    byte[] node =
        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n1\"}}".getBytes(UTF_8);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        call -> {
          sent.add(call.getRequestMethod());
          if (call.getRequestMethod().equals("GET")) {
            call.sendResponseHeaders(HttpURLConnection.HTTP_OK, node.length);
            call.getResponseBody().write(node);
          }
          call.close();
        });
    server.start();
    Path file = write("server", GOOD.formatted(server.getAddress().getPort()));
    try (KubernetesClient client = KubeClients.create(Optional.of(file), WALL);
        KubernetesClient once = KubeClients.once(client, Duration.ofSeconds(5))) {
      Node read = once.nodes().withName("n1").get();

      assertThatExceptionOfType(KubernetesClientException.class)
          .isThrownBy(() -> once.resource(read).update());
      assertThat(sent).containsOnlyOnce("PUT");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void serverClock_noAnswer_isUnknown() {
    Config nobody = new ConfigBuilder(Config.empty()).withMasterUrl("http://127.0.0.1:1/").build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(nobody).build();
        KubernetesClient once = KubeClients.once(client, Duration.ofSeconds(2))) {
      assertThat(ServerClock.ahead(once, WALL)).isEmpty();
    }
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(home.resolve(name), text);
  }

  private String master(Optional<Path> named, Map<String, String> environment) {
    return KubeClients.configuration(named, Optional.empty(), environment, home, noToken, WALL)
        .getMasterUrl();
  }

  private void refused(Optional<Path> named, Map<String, String> environment, String message) {
    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> master(named, environment))
        .withMessage(message);
  }
}
