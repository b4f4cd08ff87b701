package io.poolkeeper.integration;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real API server with the shipped manifests, forty nodes, the namespace {@code team-web} with
 * the Service {@code api}, and the namespace {@code team} with a tenant who has the built-in role
 * {@code edit} and all verbs on bindings there.
 */
final class TwoTenants implements AutoCloseable {
  private static final String CONTROLLER = "system:serviceaccount:poolkeeper:poolkeeper";
  private static final String DRAINING = "cloudprovider.azure.microsoft.com/draining";

  /** Nodes n1 to n40; a third of them are thirteen. */
  static final int NODES = 40;

  private static final String RIGHTS =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: bindings, namespace: team}
      rules: [{apiGroups: [poolkeeper.io], resources: [backendpoolbindings], verbs: ["*"]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: bindings, namespace: team}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: bindings}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: mallory}]
      """;

  private final RealApiServer server;
  final KubernetesClient admin;
  final KubernetesClient mallory;

  /** Installs it, with its files in the directory. */
  TwoTenants(Path directory) throws IOException, InterruptedException {
    server = RealApiServer.start(directory);
    admin = as(null);
    mallory = as("mallory");
    Kubectl kubectl = Kubectl.of(server, directory);
    kubectl.run("apply", "-f", "deploy/first");
    kubectl.run("apply", "-f", "deploy/kustomize/base/poolkeeper.yaml");
    kubectl.run("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all");
    for (String namespace : List.of("team", "team-web")) {
      apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}".formatted(namespace));
    }
    Stream.of(RIGHTS.split("---\n", -1)).forEach(this::apply);
    // The role edit is the sum of these two; a controller that does not run here adds them up.
    for (String part : List.of("edit", "view")) {
      apply(
          """
          apiVersion: rbac.authorization.k8s.io/v1
          kind: RoleBinding
          metadata: {name: %1$s, namespace: team}
          roleRef:
            {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "system:aggregate-to-%1$s"}
          subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: mallory}]
          """
              .formatted(part));
    }
  }

  /** Fills it as it is before a test. */
  void fill() {
    for (int n = 1; n <= NODES; n++) {
      InstalledCluster.node(admin, n);
    }
    service("team-web", "api", "");
    slice("team-web", "api", "n1");
  }

  void empty() {
    admin.nodes().delete();
    for (String namespace : List.of("team", "team-web", "default")) {
      admin.v1().events().inNamespace(namespace).delete();
      admin.services().inNamespace(namespace).delete();
      admin.discovery().v1().endpointSlices().inNamespace(namespace).delete();
    }
  }

  KubernetesClient controller() {
    return as(CONTROLLER);
  }

  private KubernetesClient as(@Nullable String user) {
    Config config = Config.fromKubeconfig(server.kubeconfig());
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(config)
                .withImpersonateUsername(user)
                .withRequestRetryBackoffLimit(0)
                .build())
        .build();
  }

  void apply(String yaml) {
    admin.resource(yaml).createOr(NonDeletingOperation::update);
  }

  void service(String namespace, String name, String annotations) {
    apply(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: %s, namespace: %s, annotations: {%s}}
        spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}
        """
            .formatted(name, namespace, annotations));
  }

  /** As the control plane writes it. */
  void slice(String namespace, String service, String... nodes) {
    String endpoints =
        Stream.of(nodes)
            .map("{addresses: [10.244.0.9], nodeName: %s}"::formatted)
            .collect(Collectors.joining(", "));
    apply(
        """
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: %1$s, namespace: %2$s, labels: {kubernetes.io/service-name: %1$s}}
        addressType: IPv4
        endpoints: [%3$s]
        """
            .formatted(service, namespace, endpoints));
  }

  /** A pool of a load balancer with a rule of each of these Services. */
  Seed pool(String name, String... services) {
    List<String> rules =
        Stream.of(services)
            .map(of -> of.split("/", -1))
            .map(of -> admin.services().inNamespace(of[0]).withName(of[1]).require())
            .map(of -> "a" + of.getMetadata().getUid().replace("-", "").substring(0, 31))
            .map(prefix -> prefix + "-TCP-80")
            .toList();
    return new Seed(name, rules, Map.of());
  }

  long tainted() {
    return admin.nodes().list().getItems().stream()
        .filter(
            node ->
                node.getSpec().getTaints().stream().anyMatch(of -> of.getKey().equals(DRAINING)))
        .count();
  }

  static Stream<String> nodes() {
    return IntStream.rangeClosed(1, NODES).mapToObj(n -> "n" + n);
  }

  @Override
  public void close() {
    mallory.close();
    admin.close();
    server.close();
  }
}
