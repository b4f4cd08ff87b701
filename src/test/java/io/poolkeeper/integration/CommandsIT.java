package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a running controller, by its address. */
class CommandsIT {
  private static final String DENIED = "Microsoft.Network/loadBalancers/backendAddressPools/write";

  private static final String SECRET = "hush-1234";
  private static final String TOKEN = "token-5678";

  @TempDir private static Path directory;
  private static final ControllerFixture fixture = new ControllerFixture();
  private static String kubeconfig;

  @BeforeAll
  static void start() throws Exception {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    String web = fixture.cluster.service("web");
    fixture.cluster.endpoints("web", "n1");
    fixture.arm.put(LB, Seed.of("shop-web", web).holding(Map.of("10.0.0.1", "n1")));
    fixture.startController("poolkeeper.azure.client-secret = " + SECRET);
    kubeconfig =
        Files.writeString(directory.resolve("kubeconfig"), fixture.cluster.kubeconfig()).toString();
    eventually(() -> assertThat(ask("status").out()).contains("The pool is in sync."));
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  private static Command ask(String command, String... arguments) {
    return Command.ask("--url", fixture.url().toString(), command, arguments);
  }

  private static Command lease(String command, String... arguments) {
    return Command.ask("--kubeconfig", kubeconfig, command, arguments);
  }

  @Test
  void aRightThatIsMissing_isInEachCommand_andPlanExitsWith3() throws Exception {
    assertThat(ask("plan").code()).isZero();
    fixture.arm.deny(DENIED);

    fixture.cluster.endpoints("web", "n1", "n2");

    eventually(
        () ->
            assertThat(ask("status").out())
                .contains("a right to write kubernetes is missing", "kubernetes/shop-web  "));
    Command plan = ask("plan");
    assertThat(plan.code()).isEqualTo(3);
    assertThat(plan.out()).contains("1 of 1 pools would be written.", "+  10.0.0.2  n2");
    for (String name : new String[] {"shop/web", "web", "shop-web", "kubernetes/shop-web"}) {
      assertThat(ask("explain", name).out()).contains("> Azure", "az role assignment create");
    }
    assertThat(ask("status", "shop-web").out()).contains("AuthorizationFailed");
    fixture.arm.giveBackAll();
    fixture.cluster.endpoints("web", "n1");
    eventually(() -> assertThat(ask("plan").code()).isZero());
  }

  @Test
  void theSame_forPrograms_isJsonAndYaml() throws Exception {
    JsonNode all = new ObjectMapper().readTree(ask("status", "-o", "json").out());

    assertThat(all.path("status").path("leads").asBoolean()).isTrue();
    assertThat(all.path("pools")).hasSize(1);
    assertThat(ask("plan", "-o", "yaml").out()).contains("mode: \"write\"", "differ: []");
  }

  @Test
  void aBundle_hasWhatACaseNeeds_andNoSecret() throws Exception {
    Path file = directory.resolve("case.zip");
    Path token = Files.writeString(directory.resolve("token"), TOKEN);
    putLease("poolkeeper", "p_1");

    Command bundle =
        ask(
            "bundle",
            "-f",
            file.toString(),
            "--token-file",
            token.toString(),
            "--kubeconfig",
            kubeconfig);

    assertThat(bundle.err()).isEmpty();
    assertThat(bundle.out()).startsWith(file + ": ");
    Map<String, String> files = unzip(file);
    assertThat(files)
        .containsKeys("versions.txt", "status.json", "metrics.txt", "lease-poolkeeper-leader.yaml")
        .containsKeys("lease-aks-managed-resource-locker.yaml", "events.yaml", "turnstile.json");
    assertThat(files.get("settings.json")).contains("poolkeeper.azure.client-secret = \\\"***");
    assertThat(String.join("", files.values())).doesNotContain(SECRET, TOKEN);
    assertThat(ask("bundle", "-f", file.toString()).err()).contains("exists already");
  }

  static Map<String, String> unzip(Path file) throws Exception {
    Map<String, String> files = new HashMap<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        try (InputStream in = zip.getInputStream(entry)) {
          files.put(
              entry.getName().replace("poolkeeper-bundle/", ""),
              new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return files;
  }

  @Test
  void aNode_isExplained() {
    assertThat(ask("explain", "n1").out())
        .startsWith("n1\n")
        .contains("In service", "kubernetes/shop-web");
  }

  @Test
  void wrongNamesAndAddresses_areOneClearMessage() throws Exception {
    assertThat(ask("explain", "nope"))
        .isEqualTo(
            new Command(
                1,
                "",
                "nope: no pool, Service or node of a pool has this name; `poolkeeper status -o wide`"
                    + " lists them. The pool is in sync.\n"));
    assertThat(ask("status", "wep").err()).contains("has this name, did you mean web? ");
    assertThat(ask("explain", "n11").err()).contains("has this name, did you mean n1? ");
    assertThat(Command.run("status", "--url", "localhost:8558").err())
        .startsWith("--url: found 'localhost:8558', allowed: http://HOST:PORT or https://");
    String closed = "http://127.0.0.1:" + closedPort();
    assertThat(Command.run("status", "--url", closed).err()).startsWith(closed + ": no answer: ");
    assertThat(
            Command.run("status", "--url", "http://example.com", "--token-file", kubeconfig).err())
        .startsWith("--token-file: the token is not sent over http to example.com");
    Path token = Files.writeString(directory.resolve("marked"), "\ufeff" + TOKEN);
    assertThat(Command.run("status", "--url", closed, "--token-file", token.toString()).err())
        .isEqualTo(
            "--token-file "
                + token
                + ": found something else than one token; allowed: one line of ASCII without"
                + " blanks\n");
    assertThat(ask("status", "--watch", "shop-web").code()).isEqualTo(2);
  }

  private static int closedPort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void withoutALeader_theMessageAsksForAnAddress() {
    assertThat(lease("status", "-n", "empty").err())
        .isEqualTo(
            "Lease empty/poolkeeper-leader does not exist, and Lease empty/poolkeeper-leader-shadow"
                + " does not exist: name the namespace with -n and the Lease with --lease, or an"
                + " address with --url\n");
    putLease("outside", "vm_0123");
    assertThat(lease("status", "-n", "outside").err())
        .isEqualTo(
            "Lease outside/poolkeeper-leader is held by vm_0123, which is no pod of namespace"
                + " outside, and Lease outside/poolkeeper-leader-shadow does not exist: name the"
                + " namespace with -n and the Lease with --lease, or an address with --url\n");
    assertThat(lease("status", "--context", "other").err()).contains("--context: found \"other\"");
  }

  @Test
  void aLeaderThatIsNoPod_isAskedOnThisMachineOnly() {
    putLease("outside", "vm_0123", fixture.url().toString());

    assertThat(lease("status", "-n", "outside").out()).contains("The pool is in sync.");

    for (String elsewhere :
        List.of("http://10.0.0.1:8558", "http://localhost:8558", "http://127.0.0.1:1@10.0.0.1:1")) {
      putLease("outside", "vm_0123", elsewhere);
      assertThat(lease("status", "-n", "outside").err()).contains("which is no pod of namespace");
    }
  }

  @Test
  void pause_annotatesTheLease_andResumeTakesThemAway() {
    putLease("paused", "p_1");

    Command pause =
        lease("pause", "-n", "paused", "--for", "30m", "--reason", "change 1", "--drains");

    assertThat(pause.out()).startsWith("Paused until ").contains(", drains, too");
    assertThat(annotations("paused"))
        .containsEntry("poolkeeper.io/paused-reason", "change 1")
        .containsEntry("poolkeeper.io/paused-drains", "true")
        .containsEntry("other", "stays")
        .containsKey("poolkeeper.io/paused-until");
    assertThat(lease("resume", "-n", "paused").out()).startsWith("Resumed; the pause would have");
    assertThat(annotations("paused")).isEqualTo(Map.of("other", "stays"));
    assertThat(lease("resume", "-n", "paused").out()).startsWith("There was no pause");
    assertThat(lease("pause", "-n", "none", "--for", "1m", "--reason", "x").err())
        .contains("without leader election", "mode = shadow");
    assertThat(lease("pause", "--for", "8d", "--reason", "x").err())
        .startsWith("--for: found '8d', allowed: 1s to 7d");
  }

  private static Map<String, String> annotations(String namespace) {
    return fixture
        .cluster
        .client()
        .leases()
        .inNamespace(namespace)
        .withName("poolkeeper-leader")
        .require()
        .getMetadata()
        .getAnnotations();
  }

  private static void putLease(String namespace, String holder) {
    putLease(namespace, holder, "");
  }

  private static void putLease(String namespace, String holder, String url) {
    fixture.cluster.put(
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName("poolkeeper-leader")
            .addToAnnotations("other", "stays")
            .addToAnnotations(url.isEmpty() ? Map.of() : Map.of("poolkeeper.io/url", url))
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(holder)
            .endSpec()
            .build());
  }
}
