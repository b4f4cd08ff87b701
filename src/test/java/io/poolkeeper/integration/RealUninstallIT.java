package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static io.poolkeeper.integration.InstalledCluster.GATEWAY;
import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a controller has written to a real API server and to Azure, and {@code uninstall}. */
@Tag("real-apiserver")
class RealUninstallIT {
  @TempDir private Path directory;
  private final ControllerFixture controller = new ControllerFixture();
  private InstalledCluster cluster;
  private Path kubeconfig;
  private Path config;

  @BeforeEach
  void install() throws IOException, InterruptedException {
    cluster = new InstalledCluster(directory, controller.arm);
    cluster.apply(
        """
        apiVersion: poolkeeper.io/v1alpha1
        kind: BackendPoolBinding
        metadata: {name: web, namespace: default, finalizers: [example.org/other]}
        spec: {serviceRef: {name: web}, backendPool: {loadBalancer: gateway, pool: blue}}
        """);
    cluster.apply(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: aks-managed-resource-locker, namespace: kube-system}
        spec: {holderIdentity: "", leaseDurationSeconds: 900}
        """);
    cluster.apply(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: n2}
        spec: {taints: [{key: example.org/other, effect: NoSchedule}]}
        """);
    kubeconfig = Files.writeString(directory.resolve("admin"), cluster.kubeconfig());
    config =
        Files.writeString(directory.resolve("p.conf"), controller.settings() + cluster.settings());
  }

  @AfterEach
  void stop() throws IOException {
    controller.close();
    cluster.close();
  }

  private Command uninstall(String consent) {
    String file = config.toString();
    return Command.run(
        "uninstall", "--config", file, "--kubeconfig", kubeconfig.toString(), consent);
  }

  /** All that the controller may write, but for what changes by itself. */
  private Map<String, String> snapshot() {
    Map<String, String> all = new TreeMap<>();
    Stream.of(
            cluster.admin.nodes().list().getItems(),
            cluster.admin.services().inAnyNamespace().list().getItems(),
            cluster.admin.resources(BackendPoolBinding.class).inAnyNamespace().list().getItems(),
            cluster.admin.leases().inAnyNamespace().list().getItems())
        .flatMap(List::stream)
        // The API server makes its own Lease and Service whenever it likes.
        .filter(object -> !object.getMetadata().getName().startsWith("apiserver-"))
        .filter(object -> !object.getMetadata().getName().equals("kubernetes"))
        .forEach(object -> all.put(object.getKind() + " " + name(object), text(object)));
    ObjectNode blue = controller.arm.document(GATEWAY, "blue");
    blue.remove("etag");
    // Nothing shows who has named the network of a pool: it stays.
    ((ObjectNode) blue.path("properties")).remove("virtualNetwork");
    all.put("blue", blue.toString());
    all.put("Down", Boolean.toString(states().contains("Down")));
    return all;
  }

  private static String name(HasMetadata object) {
    return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
  }

  private String text(HasMetadata object) {
    ObjectNode json =
        cluster.admin.getKubernetesSerialization().convertValue(object, ObjectNode.class);
    ((ObjectNode) json.path("metadata")).remove(List.of("resourceVersion", "managedFields"));
    boolean shared = name(object).endsWith("/aks-managed-resource-locker");
    return shared ? json.path("spec").path("holderIdentity").asText() : json.toString();
  }

  /** The admin states of the provider's pool, whose members are not ours alone. */
  private List<String> states() {
    JsonNode entries =
        controller
            .arm
            .document(LB, "default-web")
            .path("properties")
            .path("loadBalancerBackendAddresses");
    return entries.findValuesAsText("adminState");
  }

  /** The node n2 is in both pools, and about to be evicted. */
  private void controllerHasWritten() throws IOException {
    cluster.endpointsOn("n2");
    cluster.start(controller, "leader");
    controller.awaitMembers(LB, "default-web", Map.of("10.0.0.2", "n2"));
    eventually(() -> assertThat(controller.arm.members(GATEWAY, "blue")).hasSize(1));
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    cluster.apply(
        """
        apiVersion: v1
        kind: Event
        metadata: {name: second, namespace: default}
        involvedObject: {apiVersion: v1, kind: Node, name: n2, uid: n2}
        reason: PreemptScheduled
        type: Warning
        message: "Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT. EventId: e-1"
        firstTimestamp: "%1$s"
        lastTimestamp: "%1$s"
        """
            .formatted(now));
    eventually(() -> assertThat(states()).containsExactly("Down"));
    eventually(() -> assertThat(cluster.binding().getStatus()).isNotNull());
  }

  @Test
  void uninstall_leavesNothingOfOurs_andIsRefusedWhileAReplicaLeads() throws Exception {
    Map<String, String> before = snapshot();
    controllerHasWritten();
    assertThat(uninstall("--yes").err())
        .contains("leads", "kubectl -n poolkeeper scale deployment/poolkeeper --replicas=0");
    controller.stopController();
    // It takes finalizers away also where the controller follows no bindings any more.
    Files.writeString(config, "\npoolkeeper.admission.enabled = false", APPEND);
    Map<String, String> written = snapshot();

    Command dryRun = uninstall("--dry-run");

    assertThat(dryRun.err()).isEmpty();
    assertThat(dryRun.out().lines())
        .anyMatch(line -> line.matches("Pool .*/default-web: n2 \\(10.0.0.2\\): Down to None"))
        .anyMatch(
            line -> line.matches("Pool .*/blue: n2\\.pk-[0-9a-f]{16} \\(10.0.0.2\\): removed"))
        .contains(
            "Node n2: annotation poolkeeper.io/preemption-handled, taint cloudprovider.azure.microsoft.com/draining",
            "BackendPoolBinding default/web: finalizer poolkeeper.io/addresses, status",
            "Lease poolkeeper/poolkeeper-leader: deleted",
            "Nothing was changed. With --yes that goes.");
    assertThat(snapshot()).isEqualTo(written);

    Command done = uninstall("--yes");

    assertThat(done.err()).isEmpty();
    assertThat(done.code()).isZero();
    assertThat(snapshot()).isEqualTo(before);
    assertThat(uninstall("--yes").out()).as("again").startsWith("Stays: ");
  }

  @Test
  void uninstall_whenNamespaceAndDefinitionAreGone_cleansAzureAndNodes() throws Exception {
    controllerHasWritten();
    controller.stopController();
    String none = "{\"metadata\":{\"finalizers\":null}}";
    cluster.kubectl.run("patch", "bpb", "web", "--type=merge", "-p", none);
    cluster.kubectl.run("delete", "crd", "backendpoolbindings.poolkeeper.io", "--timeout=15s");
    Files.writeString(config, "\npoolkeeper.leader-election.namespace = gone", APPEND);

    Command done = uninstall("--yes");

    assertThat(done.err()).isEmpty();
    assertThat(controller.arm.members(GATEWAY, "blue")).isEmpty();
    assertThat(states()).doesNotContain("Down");
    assertThat(cluster.admin.nodes().withName("n2").get().getSpec().getTaints()).hasSize(1);
  }
}
