package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.RealApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes and endpoints as operators have reported them, on a real API server. */
@Tag("real-apiserver")
class RealReportedNodesIT {
  private static final String POOL = "default-web";
  private static final String TO_BE_DELETED = "ToBeDeletedByClusterAutoscaler";

  private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

  private final ControllerFixture fixture = new ControllerFixture();
  private KubernetesClient admin;

  @BeforeEach
  void fill() {
    Config config = Config.fromKubeconfig(RealApiServer.shared().kubeconfig());
    admin = new KubernetesClientBuilder().withConfig(config).build();
    for (int node = 1; node <= 3; node++) {
      InstalledCluster.node(admin, node);
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
    String rule = "a" + uid.replace("-", "").substring(0, 31) + "-TCP-80";
    fixture.arm.put(LB, new Seed(POOL, List.of(rule), Map.of("10.0.0.1", "n1", "10.0.0.2", "n2")));
  }

  @AfterEach
  void stop() throws IOException {
    fixture.close();
  }

  private HasMetadata apply(String yaml) {
    return admin.resource(yaml).createOr(NonDeletingOperation::update);
  }

  /** One endpoint on each node; {@code -} is one that names none. */
  private void endpoints(String... nodes) {
    String endpoints =
        Stream.of(nodes)
            .map(node -> node.equals("-") ? "" : ", nodeName: " + node)
            .map("{addresses: [10.244.6.1]%s}"::formatted)
            .collect(Collectors.joining(", "));
    apply(
        """
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: web, namespace: default, labels: {kubernetes.io/service-name: web}}
        addressType: IPv4
        endpoints: [%s]
        """
            .formatted(endpoints));
  }

  private void edit(String node, UnaryOperator<NodeBuilder> change) {
    admin.nodes().withName(node).edit(of -> change.apply(new NodeBuilder(of)).build());
  }

  private void toBeDeleted(String node) {
    edit(
        node,
        of -> of.editSpec().addNewTaint("NoSchedule", TO_BE_DELETED, null, "1764332400").endSpec());
  }

  private void start(String hocon) throws IOException {
    Config config = admin.getConfiguration();
    fixture.startController(new KubernetesClientBuilder().withConfig(config).build(), hocon);
    fixture.awaitReady();
  }

  private void awaitNodes(String... nodes) {
    fixture.awaitMembers(
        LB,
        POOL,
        Stream.of(nodes).collect(Collectors.toMap(node -> "10.0.0." + node.charAt(1), n -> n)));
  }

  private List<Event> events(String reason) {
    return admin.v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .toList();
  }

  @Test
  void row5_aNodeThatTheAutoscalerIsToDelete_keepsItsEntry_andGetsNoNewOne() throws IOException {
    endpoints("n1", "n2");
    start("");
    toBeDeleted("n2");

    endpoints("n1", "n2", "n3");
    awaitNodes("n1", "n2", "n3");

    // The provider takes it out.
    fixture.arm.putMembers(LB, POOL, Map.of("10.0.0.1", "n1", "10.0.0.3", "n3"));
    endpoints("n2", "n3");
    awaitNodes("n3");
    // An entry that is there again goes with the endpoint.
    fixture.arm.putMembers(LB, POOL, Map.of("10.0.0.2", "n2", "10.0.0.3", "n3"));
    endpoints("n1");
    awaitNodes("n1");
  }

  @Test
  void row5_withTheTaintAmongExtraTaints_theEntryIsDown() throws IOException {
    endpoints("n1", "n2");
    start("poolkeeper.admin-state.extra-taints = [" + TO_BE_DELETED + "]");

    toBeDeleted("n2");

    eventually(() -> assertThat(events("LoadBalancerAdminStateDown")).isNotEmpty());
    awaitNodes("n1", "n2");
    JsonNode entry = fixture.pool(LB, POOL).path("entries").path(1);
    assertThat(entry.path("node").asText()).isEqualTo("n2");
    assertThat(entry.path("state").asText()).isEqualTo("DOWN");
    assertThat(entry.path("why").asText())
        .isEqualTo("its node is to be deleted; stays, and is not added again");
  }

  /** The autoscaler may leave the taint there for ever. */
  @Test
  void row5_onlySuchANodeHasEndpoints_andNoEntry_isExplained() throws IOException {
    fixture.arm.putMembers(LB, POOL, Map.of("10.0.0.1", "n1"));
    toBeDeleted("n2");
    endpoints("n2");

    start("");

    awaitNodes();
    String taint = "node n2 is excluded by its taint " + TO_BE_DELETED;
    awaitIgnored("Endpoints have no entry in the backend pools: " + taint);
    eventually(() -> assertThat(nodesStep()).isEqualTo("0 wanted; " + taint));
  }

  /** What {@code explain} says of the pool's nodes. */
  private String nodesStep() {
    return fixture.pool(LB, POOL).path("steps").path(2).path("text").asText();
  }

  private void awaitIgnored(String... texts) {
    eventually(
        () ->
            assertThat(events("LoadBalancerEndpointsIgnored"))
                .allMatch(event -> event.getType().equals("Warning") && event.getCount() == 1)
                .extracting(Event::getMessage)
                .containsExactlyInAnyOrder(texts));
  }

  /** The cloud provider adds no such node to a pool of IP addresses, whatever the setting says. */
  @Test
  void row8_endpointsOnANodeOfTheControlPlane_areExplained_whateverAzureJsonSays(
      @TempDir Path directory) throws IOException {
    edit("n2", of -> of.editMetadata().addToLabels(CONTROL_PLANE, "").endMetadata());
    endpoints("n2");
    Path azure = directory.resolve("azure.json");
    Files.writeString(azure, "{\"excludeMasterFromStandardLB\": false}");

    start("poolkeeper.azure.config-file = \"" + azure + "\"");

    awaitNodes();
    String label = "node n2 is excluded by its label " + CONTROL_PLANE;
    awaitIgnored("Endpoints have no entry in the backend pools: " + label);
    eventually(() -> assertThat(nodesStep()).isEqualTo("0 wanted; " + label));
  }

  @Test
  void row9_endpointsThatNameNoNode_areCountedInAWarning() throws IOException {
    endpoints("-");

    start("");

    awaitNodes();
    String one = "Endpoints have no entry in the backend pools: 1 endpoint names no node";
    awaitIgnored(one);
    // A change that is none of this is no news.
    endpoints("-", "n1");
    awaitNodes("n1");
    endpoints("-", "n1", "-");
    awaitIgnored(one, "Endpoints have no entry in the backend pools: 2 endpoints name no node");
    eventually(() -> assertThat(nodesStep()).isEqualTo("1 wanted; 2 endpoints name no node"));
  }
}
