package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static io.poolkeeper.integration.InstalledCluster.GATEWAY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another version has left on a real API server and in Azure, and its definition. */
@Tag("real-apiserver")
class RealUpgradeIT {
  private static final Path DEFINITION = Path.of("deploy", "first", "backendpoolbindings.yaml");
  private static final Path RECORD = Path.of("src", "test", "resources", "upgrade", "2e8109ca");

  @TempDir private Path directory;
  private final ControllerFixture controller = new ControllerFixture();
  private InstalledCluster cluster;

  @BeforeEach
  void install() throws IOException, InterruptedException {
    cluster = new InstalledCluster(directory, controller.arm);
    cluster.endpointsOn("n2");
  }

  @AfterEach
  void stop() throws IOException {
    controller.close();
    cluster.close();
  }

  /** How entries of bindings end; the rule of both versions. */
  private String mark() {
    String uid = cluster.admin.namespaces().withName("kube-system").get().getMetadata().getUid();
    return ".pk-" + uid.replace("-", "").substring(0, 16);
  }

  /** What the former version has written, as if it had run here. */
  private void leave() throws IOException, InterruptedException {
    String blue = controller.arm.document(GATEWAY, "blue").path("id").asText();
    String binding =
        Files.writeString(
                directory.resolve("binding.yaml"),
                Files.readString(RECORD.resolve("binding.yaml")).replace("BLUE", blue))
            .toString();
    String objects = RECORD.resolve("objects.yaml").toString();
    cluster.kubectl.run("apply", "--server-side", "--force-conflicts", "-f", objects);
    cluster.kubectl.run("apply", "--server-side", "-f", binding);
    cluster.kubectl.run("apply", "--server-side", "--subresource=status", "-f", binding);
    leave(LB, "default-web", "n2");
    leave(GATEWAY, "blue", "n2" + mark());
  }

  private void leave(String loadBalancer, String pool, String entry) {
    ObjectNode document = controller.arm.document(loadBalancer, pool);
    ObjectNode properties = (ObjectNode) document.path("properties");
    properties.putObject("virtualNetwork").put("id", SimulatedArm.NETWORK);
    ArrayNode entries = properties.putArray("loadBalancerBackendAddresses");
    ObjectNode of = entries.addObject().put("name", entry).putObject("properties");
    of.put("ipAddress", "10.0.0.2").put("adminState", "Down");
    controller.arm.putDocument(loadBalancer, pool, document);
  }

  private List<String> versions() {
    return List.of(
        cluster.binding().getMetadata().getResourceVersion(),
        cluster.admin.nodes().withName("n2").get().getMetadata().getResourceVersion());
  }

  private String state(String loadBalancer, String pool) {
    return controller.pool(loadBalancer, pool).path("state").asText();
  }

  @Test
  void whatTheFormerVersionHasLeft_isKnown_andTakenOverWithoutAWrite() throws Exception {
    leave();
    assertThat(planOfUninstall())
        .contains(
            "Pool rg-1/gateway/blue: n2%s (10.0.0.2): removed".formatted(mark()),
            "Pool rg-1/kubernetes/default-web: n2 (10.0.0.2): Down to None",
            "Node n2: annotation poolkeeper.io/preemption-handled, taint cloudprovider.azure.microsoft.com/draining",
            "BackendPoolBinding default/web: finalizer poolkeeper.io/addresses, status",
            "Lease poolkeeper/poolkeeper-leader: deleted");
    List<String> left = versions();
    int mark = controller.arm.mark();

    cluster.start(controller, "leader");

    eventually(() -> assertThat(state(LB, "default-web")).isEqualTo("Idle"));
    eventually(() -> assertThat(state(GATEWAY, "blue")).isEqualTo("Idle"));
    assertThat(controller.arm.allPuts(mark)).isEmpty();
    assertThat(versions()).isEqualTo(left);
    cluster.endpointsOn("n1");
    controller.awaitMembers(LB, "default-web", Map.of("10.0.0.1", "n1"));
    controller.awaitMembers(GATEWAY, "blue", Map.of("10.0.0.1", "n1" + mark()));
  }

  private List<String> planOfUninstall() throws IOException {
    Path config = directory.resolve("p.conf");
    Files.writeString(config, controller.settings() + cluster.settings());
    Path kubeconfig = Files.writeString(directory.resolve("admin"), cluster.kubeconfig());
    String file = config.toString();
    Command dryRun =
        Command.run(
            "uninstall", "--dry-run", "--config", file, "--kubeconfig", kubeconfig.toString());
    assertThat(dryRun.err()).isEmpty();
    return dryRun.out().lines().toList();
  }

  /** An older definition has fields that this version does not know, one with a default. */
  @Test
  void definitionThatIsReplaced_andPutBack_changesNothing() throws Exception {
    Path older = Files.writeString(directory.resolve("older.yaml"), olderDefinition());
    cluster.kubectl.run("apply", "-f", older.toString());
    cluster.apply(
        """
        apiVersion: poolkeeper.io/v1alpha1
        kind: BackendPoolBinding
        metadata: {name: web, namespace: default}
        spec: {serviceRef: {name: web}, backendPool: {loadBalancer: gateway, pool: blue}, interval: 30s}
        """);
    cluster.start(controller, "leader");
    controller.awaitMembers(GATEWAY, "blue", Map.of("10.0.0.2", "n2" + mark()));
    int mark = controller.arm.mark();

    for (Path each : List.of(DEFINITION, older)) {
      cluster.kubectl.run("apply", "-f", each.toString());
      // A change of the Service comes through, so that what the definition causes has come, too.
      cluster.endpointsOn("n1");
      controller.awaitMembers(GATEWAY, "blue", Map.of("10.0.0.1", "n1" + mark()));
      cluster.endpointsOn("n2");
      controller.awaitMembers(GATEWAY, "blue", Map.of("10.0.0.2", "n2" + mark()));
    }

    assertThat(controller.arm.puts(GATEWAY, "blue", mark)).as("one for each change").hasSize(4);
    assertThat(cluster.binding().getMetadata().getFinalizers()).hasSize(1);
    eventually(() -> assertThat(controller.get("/readyz").body()).contains("\"why\":[]"));
  }

  private String olderDefinition() throws IOException {
    var definitions = cluster.admin.apiextensions().v1().customResourceDefinitions();
    CustomResourceDefinition older = definitions.load(DEFINITION.toFile()).item();
    JSONSchemaProps spec =
        older
            .getSpec()
            .getVersions()
            .getFirst()
            .getSchema()
            .getOpenAPIV3Schema()
            .getProperties()
            .get("spec");
    JSONSchemaPropsBuilder text = new JSONSchemaPropsBuilder().withType("string");
    spec.getProperties().put("interval", text.build());
    spec.getProperties().put("ownership", text.withDefault(new TextNode("Shared")).build());
    return cluster.admin.getKubernetesSerialization().asYaml(older);
  }
}
