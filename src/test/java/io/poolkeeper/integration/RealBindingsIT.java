package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.AuditLog;
import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import io.poolkeeper.kube.binding.BindingStatus;
import io.poolkeeper.kube.binding.BindingStatus.Condition;
import io.poolkeeper.kube.binding.ExampleChecker;
import io.poolkeeper.kube.binding.ExampleChecker.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole controller on a real API server, under its shipped account, and others beside it. */
@Tag("real-apiserver")
class RealBindingsIT {
  private static final String GATEWAY = "gateway";
  private static final Map<String, String> THEIRS = Map.of("10.9.9.9", "theirs");
  private static final String CONTROLLER = "system:serviceaccount:poolkeeper:poolkeeper";
  private static final String CHECKER = "system:serviceaccount:default:change-freeze-checker";
  private static final String SETTINGS =
      """
      poolkeeper.admission.allowed-pools.default =
        ["/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers/gateway/backendAddressPools/*"]
      poolkeeper.turnstile.turn-deadline = 1s
      """
          .formatted(SimulatedArm.SUBSCRIPTION, SimulatedArm.GROUP);

  @TempDir static Path directory;
  private static RealApiServer server;
  private static AuditLog audit;
  private static KubernetesClient admin;
  private static String mark;

  private final ControllerFixture fixture = new ControllerFixture();

  @BeforeAll
  static void installAsAUserDoes() throws IOException, InterruptedException {
    audit = new AuditLog(directory);
    server = RealApiServer.start(directory, audit.flags());
    admin = as(null);
    Kubectl kubectl = Kubectl.of(server, directory);
    kubectl.run("apply", "-f", "deploy/first");
    kubectl.run("apply", "-f", "deploy/kustomize/base/poolkeeper.yaml");
    kubectl.run("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all");
    kubectl.run("apply", "-f", "deploy/examples/checker.yaml");
    String uid = admin.namespaces().withName("kube-system").require().getMetadata().getUid();
    mark = ".pk-" + uid.replace("-", "").substring(0, 16);
    for (int n = 1; n <= 3; n++) {
      InstalledCluster.node(admin, n);
    }
  }

  @AfterAll
  static void stopServer() {
    admin.close();
    server.close();
  }

  @BeforeEach
  void seed() {
    fixture.arm.put(LB);
    fixture.arm.put(
        GATEWAY, Seed.of("blue", "any").holding(THEIRS), Seed.of("green", "other").holding(THEIRS));
    service("n1");
  }

  @AfterEach
  void clean() throws IOException {
    try (fixture) {
      bindings().delete();
      ControllerFixture.within(Duration.ofSeconds(60))
          .until(() -> bindings().list().getItems().isEmpty());
    }
  }

  private static KubernetesClient as(@Nullable String user) {
    Config config = Config.fromKubeconfig(server.kubeconfig());
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(config)
                .withImpersonateUsername(user)
                .withRequestRetryBackoffLimit(0)
                .build())
        .build();
  }

  private void start(String... more) throws IOException {
    fixture.startController(as(CONTROLLER), SETTINGS + String.join("\n", more));
    fixture.awaitReady();
  }

  private void restart() throws IOException {
    fixture.stopController();
    start();
  }

  private static void apply(String yaml) {
    admin.resource(yaml).createOr(NonDeletingOperation::update);
  }

  /** The Service, whose one slice names the node. */
  private static void service(String node) {
    if (admin.services().inNamespace("default").withName("web").get() == null) {
      apply(
          """
          apiVersion: v1
          kind: Service
          metadata: {name: web, namespace: default}
          spec: {ports: [{port: 80}]}
          """);
    }
    apply(InstalledCluster.slice(node));
  }

  private static void bind(String name, String pool, String more) {
    apply(
        """
        apiVersion: poolkeeper.io/v1alpha1
        kind: BackendPoolBinding
        metadata: {name: %s, namespace: default}
        spec: {serviceRef: {name: web}, backendPool: {loadBalancer: gateway, pool: %s}%s}
        """
            .formatted(name, pool, more));
  }

  private static NonNamespaceOperation<
          BackendPoolBinding,
          KubernetesResourceList<BackendPoolBinding>,
          Resource<BackendPoolBinding>>
      bindings() {
    return admin.resources(BackendPoolBinding.class).inNamespace("default");
  }

  private void awaitMembers(String address, String node) {
    fixture.awaitMembers(GATEWAY, "blue", Map.of("10.9.9.9", "theirs", address, node + mark));
  }

  private static void awaitReason(String name, String reason) {
    eventually(
        () -> {
          BindingStatus status = bindings().withName(name).require().getStatus();
          assertThat(status).isNotNull();
          assertThat(status.conditions())
              .filteredOn(condition -> "Ready".equals(condition.type()))
              .extracting(Condition::reason)
              .containsExactly(reason);
        });
  }

  @Test
  void beside_theExampleChecker_aPoolIsFilledOnceTheCheckIsReady() throws IOException {
    try (KubernetesClient checker = as(CHECKER);
        var running =
            new ExampleChecker(
                    checker,
                    "change-freeze",
                    retries ->
                        retries < 2
                            ? new Answer("Retry", "freeze", Map.of("requeueAfterSeconds", 1))
                            : new Answer("Ready", "open", Map.of()),
                    InstantSource.system())
                .start("default")) {
      bind("web", "blue", ", admissionChecks: [change-freeze]");
      start();

      awaitMembers("10.0.0.1", "n1");
      awaitReason("web", "InSync");
      assertThat(running.isRunning()).isTrue();
      assertThat(fixture.get("/metrics").body()).contains("poolkeeper_admission_resets_total 2.0");
      assertThat(bindings().withName("web").require().getStatus().admissionChecks())
          .singleElement()
          .satisfies(
              check -> {
                assertThat(check.state()).isEqualTo("Ready");
                assertThat(check.message()).isEqualTo("open");
                assertThat(check.retryCount()).as("it was 2 before it was Ready").isZero();
              });
    }
  }

  @Test
  void aForgerOfStatuses_movesNoAddress() throws IOException {
    bind("web", "blue", "");
    start();
    awaitMembers("10.0.0.1", "n1");
    awaitReason("web", "InSync");

    try (KubernetesClient forger = as(CHECKER)) {
      forge(forger, "[10.9.9.9]");
      service("n2");
      awaitMembers("10.0.0.2", "n2");
      awaitReason("web", "InSync");
      forge(forger, "[]");
      bindings().withName("web").delete();

      fixture.awaitMembers(GATEWAY, "blue", THEIRS);
      assertThat(fixture.arm.puts(GATEWAY, "blue", 0)).hasSize(3);
    }
  }

  /** What it says of other pools, addresses and conditions is not true. */
  private static void forge(KubernetesClient by, String added) {
    String status =
        """
        {"status": {"addresses": {"desired": [], "inPool": [], "down": [], "added": %s},
          "observedGeneration": 7, "backendPool": {"loadBalancer": "gateway", "pool": "green"}, "queued": 0,
          "conditions": [{"type": "Ready", "status": "True", "reason": "InSync", "message": "",
            "lastTransitionTime": "2024-02-06T10:00:00Z"}]}}
        """
            .formatted(added.replaceAll("([0-9.]+)", "\"$1\""));
    by.resources(BackendPoolBinding.class)
        .inNamespace("default")
        .withName("web")
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), status);
  }

  @ParameterizedTest
  @CsvSource({
    "binding service slices, false",
    "binding slices service, true",
    "service binding slices, true",
    "service slices binding, false",
    "slices binding service, false",
    "slices service binding, true"
  })
  void deletions_inEveryOrder_endWithWhatWasThereBefore(String order, boolean restarts)
      throws IOException {
    bind("web", "blue", "");
    start();
    awaitMembers("10.0.0.1", "n1");

    for (String kind : order.split(" ", -1)) {
      delete(kind);
      if (restarts) {
        restart();
      }
    }

    eventually(() -> assertThat(bindings().withName("web").get()).isNull());
    assertThat(fixture.arm.members(GATEWAY, "blue")).isEqualTo(THEIRS);
  }

  private static void delete(String kind) {
    switch (kind) {
      case "binding" -> bindings().withName("web").delete();
      case "service" -> admin.services().inNamespace("default").withName("web").delete();
      default ->
          admin.discovery().v1().endpointSlices().inNamespace("default").withName("web-1").delete();
    }
  }

  @Test
  @Tag("full")
  void tenFailovers_ofManyBindings_writeNoStatus() throws IOException {
    List<String> names = IntStream.range(0, 120).mapToObj(i -> "b" + i).toList();
    fixture.arm.put(
        GATEWAY,
        IntStream.range(0, 50)
            .mapToObj(i -> Seed.of("p" + i, "r" + i).holding(THEIRS))
            .toArray(Seed[]::new));
    start();
    // 40 follow a pool, 40 are Taken, and 40 name one that is missing.
    bindAll(names.subList(0, 40), "p", "InSync");
    bindAll(names.subList(40, 80), "p", "Taken");
    bindAll(names.subList(80, 120), "missing-", "PoolNotFound");
    List<String> before = versions(names);

    for (int failover = 0; failover < 10; failover++) {
      restart();
      bind("late" + failover, "p" + (40 + failover), "");
      awaitReason("late" + failover, "InSync");
    }

    assertThat(versions(names)).isEqualTo(before);
  }

  private static void bindAll(List<String> names, String pool, String reason) {
    for (int i = 0; i < names.size(); i++) {
      bind(names.get(i), pool + i, "");
    }
    names.forEach(name -> awaitReason(name, reason));
  }

  private static List<String> versions(List<String> names) {
    return names.stream()
        .map(name -> bindings().withName(name).require().getMetadata().getResourceVersion())
        .toList();
  }

  @Test
  void theRoles_grantWhatTheControllerAsks_andNothingElse() throws IOException {
    start("poolkeeper.leader-election { enabled = true, namespace = poolkeeper }");
    bind("web", "blue", "");
    awaitMembers("10.0.0.1", "n1");
    service("n2");
    awaitMembers("10.0.0.2", "n2");
    service("n1");
    awaitMembers("10.0.0.1", "n1");
    apply(
        """
        apiVersion: v1
        kind: Event
        metadata: {name: announced, namespace: default}
        involvedObject: {kind: Node, name: n3}
        reason: PreemptScheduled
        message: "Preempt Scheduled: soon."
        source: {component: preempt-plugin-monitor}
        lastTimestamp: "%s"
        """
            .formatted(Instant.now()));

    List<PolicyRule> rules = new ArrayList<>();
    for (String role : List.of("poolkeeper", "poolkeeper-writer")) {
      rules.addAll(admin.rbac().clusterRoles().withName(role).require().getRules());
    }
    rules.addAll(
        admin.rbac().roles().inNamespace("poolkeeper").withName("poolkeeper").require().getRules());
    Set<String> granted = AuditLog.granted(rules);
    granted.remove("control admissionchecks"); // RealBindingPolicyIT
    granted.removeIf(right -> right.endsWith("reviews")); // RealAccessIT
    eventually(
        () -> assertThat(audit.needed(CONTROLLER)).containsExactlyInAnyOrderElementsOf(granted));
    eventually(
        () ->
            assertThat(admin.v1().events().inNamespace("default").list().getItems())
                .filteredOn(event -> "poolkeeper".equals(event.getReportingComponent()))
                .as("a repeated event is counted")
                .extracting(Event::getCount)
                .anyMatch(count -> count > 1));
  }
}
