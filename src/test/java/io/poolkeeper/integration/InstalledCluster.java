package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A real API server with the shipped manifests, two nodes, a Service with a pool and a pool that
 * something else manages; replicas run beside it with the rights of the manifests.
 */
final class InstalledCluster implements AutoCloseable {
  static final String GATEWAY = "gateway";
  private static final String CONTROLLER = "system:serviceaccount:poolkeeper:poolkeeper";

  private final RealApiServer server = RealApiServer.shared();
  final KubernetesClient admin = as(null);
  final Kubectl kubectl;
  private final SimulatedArm arm;

  /**
   * Installs it.
   *
   * @param directory for files
   * @param arm has its pools, and stays open
   */
  InstalledCluster(Path directory, SimulatedArm arm) throws IOException, InterruptedException {
    this.arm = arm;
    kubectl = Kubectl.of(server, directory);
    kubectl.run("apply", "-f", "deploy/first");
    kubectl.run("apply", "-k", "deploy/kustomize/overlays/workload-identity");
    kubectl.run("apply", "-f", "deploy/kustomize/base/poolkeeper.yaml"); // it goes live
    kubectl.run("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all");
    for (int n = 1; n <= 2; n++) {
      node(admin, n);
    }
    apply(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: web, namespace: default}
        spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}
        """);
    String uid =
        admin.services().inNamespace("default").withName("web").require().getMetadata().getUid();
    arm.put(LB, Seed.of("default-web", "a" + uid.replace("-", "").substring(0, 31)));
    arm.put(GATEWAY, Seed.of("blue", "any"));
    endpointsOn("n1");
  }

  private KubernetesClient as(@Nullable String user) {
    Config config = Config.fromKubeconfig(server.kubeconfig());
    return new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder(config).withImpersonateUsername(user).build())
        .build();
  }

  /** Makes the Node {@code n4}, with the address 10.0.0.4, as the number says. */
  static void node(KubernetesClient admin, int number) {
    String name = "n" + number;
    admin
        .resource("apiVersion: v1\nkind: Node\nmetadata: {name: %s}".formatted(name))
        .createOr(NonDeletingOperation::update);
    admin
        .nodes()
        .withName(name)
        .editStatus(
            node ->
                node.edit()
                    .withNewStatus()
                    .addNewAddress("10.0.0." + number, "InternalIP")
                    .endStatus()
                    .build());
  }

  /** What the replicas have beyond the settings of their fixture. */
  String settings() {
    return """
        poolkeeper {
          leader-election { enabled = true, namespace = poolkeeper }
          azure.endpoint = "%s"
          admission.allowed-pools.default =
            ["/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers/gateway/backendAddressPools/*"]
        }
        """
        .formatted(arm.endpoint(), SimulatedArm.SUBSCRIPTION, SimulatedArm.GROUP);
  }

  /** Starts a replica that soon has that role, if need be after a dead leader's Lease expired. */
  void start(ControllerFixture replica, String role) throws IOException {
    replica.startController(as(CONTROLLER), settings());
    within(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(replica.get("/readyz").json().path("ready").asBoolean()).isTrue();
              assertThat(replica.get("/readyz").json().path("role").asText()).isEqualTo(role);
            });
  }

  void apply(String yaml) {
    admin.resource(yaml).createOr(NonDeletingOperation::update);
  }

  void endpointsOn(String node) {
    apply(slice(node));
  }

  /** The EndpointSlice of the Service web, with one Pod on this node. */
  static String slice(String node) {
    return """
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: web-1, namespace: default, labels: {kubernetes.io/service-name: web}}
        addressType: IPv4
        endpoints: [{addresses: [10.244.0.9], nodeName: %s}]
        """
        .formatted(node);
  }

  BackendPoolBinding binding() {
    return admin
        .resources(BackendPoolBinding.class)
        .inNamespace("default")
        .withName("web")
        .require();
  }

  /** By which an administrator reaches it. */
  String kubeconfig() {
    return server.kubeconfig();
  }

  @Override
  public void close() {
    admin.close();
  }
}
