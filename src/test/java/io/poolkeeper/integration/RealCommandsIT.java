package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.poolkeeper.cli.CommandThread;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.RealApiServer;
import io.poolkeeper.tls.PemText;
import io.poolkeeper.tls.SelfMade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands find the leader by its Lease, through the API server, and no port is opened. */
@Tag("real-apiserver")
class RealCommandsIT {
  @TempDir private Path directory;
  private final ControllerFixture fixture = new ControllerFixture();
  private final FakeKubelet kubelet = new FakeKubelet();
  private RealApiServer server;
  private KubernetesClient admin;
  private String kubeconfig;

  @BeforeEach
  void start() throws Exception {
    server = RealApiServer.shared();
    kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig()).toString();
    admin =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(server.kubeconfig()))
            .build();
    fixture.cluster.node("n1", "10.0.0.1");
    String web = fixture.cluster.service("web");
    fixture.cluster.endpoints("web", "n1");
    fixture.arm.put(LB, Seed.of("shop-web", web).holding(Map.of("10.0.0.1", "n1")));
    PemText.write(SelfMade.create(Instant.now(), 1), directory);
    fixture.startController(hocon());
    namespace("poolkeeper");
    apply("apiVersion: v1\nkind: Node\nmetadata: {name: here}");
    admin
        .nodes()
        .withName("here")
        .editStatus(
            node ->
                node.edit()
                    .withNewStatus()
                    .addNewAddress("127.0.0.1", "InternalIP")
                    .withNewDaemonEndpoints()
                    .withNewKubeletEndpoint(kubelet.port())
                    .endDaemonEndpoints()
                    .endStatus()
                    .build());
    leads("poolkeeper-0", fixture.url().getPort());
  }

  private void namespace(String name) {
    apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}".formatted(name));
    apply(
        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: %s}"
            .formatted(name));
  }

  private void leads(String pod, int port) {
    pod("poolkeeper", pod, port);
    restarted("poolkeeper", pod);
    apply(
        "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: poolkeeper-leader-shadow,"
            + " namespace: poolkeeper}\nspec: {holderIdentity: %s_some-uid}".formatted(pod));
  }

  private void pod(String namespace, String pod, int port) {
    apply(
        """
      apiVersion: v1
      kind: Pod
      metadata:
        name: %s
        namespace: %s
        labels: {app.kubernetes.io/name: poolkeeper}
      spec:
        nodeName: here
        serviceAccountName: default
        automountServiceAccountToken: false
        containers:
          - name: poolkeeper
            image: poolkeeper
            ports: [{name: http, containerPort: %d}]
            env: [{name: POOLKEEPER_CLIENT_SECRET, value: hush}]
      """
            .formatted(pod, namespace, port));
  }

  private void restarted(String namespace, String pod) {
    admin
        .pods()
        .inNamespace(namespace)
        .withName(pod)
        .editStatus(
            of ->
                of.edit()
                    .withNewStatus()
                    .withPhase("Running")
                    .addNewContainerStatus()
                    .withName("poolkeeper")
                    .withImage("poolkeeper")
                    .withImageID("poolkeeper")
                    .withRestartCount(1)
                    .endContainerStatus()
                    .endStatus()
                    .build());
  }

  /** As in a pod. */
  private String hocon() {
    return """
        poolkeeper.http {
          authorization = required
          trust-loopback = true
          tls { certificate-file = "%1$s/tls.crt", key-file = "%1$s/tls.key" }
        }
        """
        .formatted(directory);
  }

  @AfterEach
  void stop() throws IOException {
    fixture.close();
    kubelet.close();
    admin.close();
  }

  private void apply(String yaml) {
    admin.resource(yaml).createOr(NonDeletingOperation::update);
  }

  private Command ask(String command, String... arguments) {
    return Command.ask("--kubeconfig", kubeconfig, command, arguments);
  }

  @Test
  void theLeader_isFoundByItsLease_andAskedThroughTheApiServer() throws Exception {
    eventually(() -> assertThat(ask("status").out()).contains("The pool is in sync."));
    assertThat(ask("plan").code()).isZero();
    assertThat(ask("explain", "web").out()).contains("In sync: its node is right.");
    assertThat(kubelet.asked).allMatch(path -> path.startsWith("/portForward/poolkeeper/"));

    int port = fixture.url().getPort();
    assertEachSchemeWorks(port);

    fixture.stopController();
    fixture.startController("poolkeeper.http.port = %d".formatted(port));

    eventually(() -> assertThat(ask("status").out()).contains("The pool is in sync."));
    assertEachSchemeWorks(port);

    fixture.stopController();

    assertThat(ask("status").err())
        .startsWith("the port-forward to pod poolkeeper/poolkeeper-0 failed: ")
        .contains("Connection refused");
  }

  @Test
  void aLeaderThatStopsInTheMiddle_isOneMessage_andABundleHasTheRest() throws Exception {
    try (StalledServer stalled = new StalledServer("HTTP/1.0 200 OK\r\n\r\n{\"leads\":")) {
      leads("poolkeeper-1", stalled.port());

      assertThat(ask("plan").err())
          .isEqualTo(
              "pod poolkeeper/poolkeeper-1: GET /api/v1/plan: the answer ended early: nothing came"
                  + " for 10 s\n");
    }
    try (StalledServer silent = new StalledServer("")) {
      leads("poolkeeper-2", silent.port());
      Path file = directory.resolve("case.zip");

      Command bundle = ask("bundle", "-f", file.toString());

      assertThat(bundle.err()).isEmpty();
      assertThat(bundle.out())
          .contains("missing: settings.json: pod poolkeeper/poolkeeper-2: no answer: nothing came")
          .contains("missing: more of the leader: not asked, as 3 parts in a row failed")
          .doesNotContain("missing: pods", "missing: logs", "missing: events", "missing: lease");
      Map<String, String> files = CommandsIT.unzip(file);
      assertThat(files.get("pods.yaml")).contains("poolkeeper-2").doesNotContain("hush");
      assertThat(files.get("logs/poolkeeper-2-poolkeeper.txt")).isEqualTo(FakeKubelet.LOG);
      assertThat(files)
          .containsKeys("logs/poolkeeper-2-poolkeeper-previous.txt", "namespace-events.yaml")
          .containsKeys("lease-aks-managed-resource-locker.yaml", "versions.txt");
    }
  }

  @Test
  void aBundleWithoutALeader_hasEachPodsLog_andNamesWhatItCouldNotGet() throws Exception {
    namespace("support");
    pod("support", "poolkeeper-0", 8558);
    restarted("support", "poolkeeper-0");
    pod("support", "poolkeeper-waits", 8558);
    kubelet.noLogBefore = true;
    Path file = directory.resolve("case.zip");

    Command bundle = ask("bundle", "-n", "support", "-f", file.toString());

    assertThat(bundle.err()).isEmpty();
    assertThat(bundle.out().lines().skip(1))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("missing: what the leader says: Lease support/"))
        .contains("missing: logs/poolkeeper-waits.txt: no container has begun: Pending")
        .anyMatch(
            line ->
                line.startsWith("missing: logs/poolkeeper-0-poolkeeper-previous.txt: ")
                    && line.contains("previous terminated container not found"));
    assertThat(CommandsIT.unzip(file))
        .containsEntry("logs/poolkeeper-0-poolkeeper.txt", FakeKubelet.LOG)
        .containsKey("pods.yaml");
    assertThat(ask("bundle", "-n", "none", "-f", directory.resolve("none.zip").toString()).out())
        .contains("missing: pods: no pod in namespace none has the label app.kubernetes.io/name=");
  }

  @Test
  void thePage_isReachedThroughAPort_whichFollowsTheLeader_andEndsWithTheCommand()
      throws Exception {
    int port = fixture.url().getPort();
    try (CommandThread page =
        CommandThread.start("page", "--kubeconfig", kubeconfig, "--port", "0")) {
      String way = "127.0.0.1:" + page.awaitOut("https://127.0.0.1:").replaceFirst("/.*", "");
      assertThat(page.out().getFirst())
          .isEqualTo("https://%s/ is the page of pod poolkeeper/poolkeeper-0, which leads.", way);
      eventually(
          () ->
              assertThat(Command.run("status", "--url", "https://" + way).out())
                  .contains("The pool is in sync."));
      try (CommandThread stream =
              CommandThread.start("status", "--watch", "--url", "https://" + way);
          StalledServer next = new StalledServer("HTTP/1.0 200 OK\r\n\r\n")) {
        stream.awaitOut("The pool is in sync.");

        leads("poolkeeper-1", next.port());

        page.awaitOut("http://%s/ is the page of pod poolkeeper/poolkeeper-1".formatted(way));
        assertThat(stream.exitCode()).as("the stream of the one before is cut").isEqualTo(1);
      }
      assertThat(Command.run("status", "--url", "http://" + way).code()).isEqualTo(1);
      assertThat(page.awaitOut("No way to the leader, it is tried again: "))
          .contains("poolkeeper-1");

      leads("poolkeeper-0", port);

      eventually(
          () -> assertThat(page.out().getLast()).startsWith("https://%s/ is".formatted(way)));
      assertThat(page.interrupt()).as(page.err().toString()).isZero();
      assertThat(page.out()).hasSize(5);
      assertThat(Command.run("status", "--url", "https://" + way).err())
          .startsWith("https://%s: no answer: ".formatted(way));
    }
  }

  @Test
  void aPageThatCannotBeOpened_isOneMessage() throws Exception {
    try (StalledServer taken = new StalledServer("")) {
      Command page = ask("page", "--port", Integer.toString(taken.port()));

      assertThat(page.err())
          .startsWith("--port %d: cannot listen on 127.0.0.1: ".formatted(taken.port()))
          .endsWith(": give another one, or 0\n");
    }
    assertThat(ask("page", "-n", "elsewhere").err())
        .startsWith("Lease elsewhere/poolkeeper-leader does not exist, and Lease elsewhere/");
  }

  private static void assertEachSchemeWorks(int port) {
    for (String scheme : new String[] {"https", "http"}) {
      String url = "%s://localhost:%d".formatted(scheme, port);
      Command status = Command.run("status", "--url", url);
      assertThat(status.out()).as(status.err()).contains("in sync");
    }
  }
}
