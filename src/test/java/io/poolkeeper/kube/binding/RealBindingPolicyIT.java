package io.poolkeeper.kube.binding;

import static io.poolkeeper.kube.binding.BindingSamples.BY_NAME;
import static io.poolkeeper.kube.binding.BindingSamples.YAML;
import static io.poolkeeper.kube.binding.BindingSamples.binding;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import io.poolkeeper.kube.binding.ExampleChecker.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may write what of a status: the optional policy, beside the shipped RBAC and the example. */
@Tag("real-apiserver")
class RealBindingPolicyIT {
  private static final String TIME = "lastTransitionTime: \"2024-02-06T10:00:00Z\"";

  @TempDir static Path directory;
  private static RealApiServer server;
  private static KubernetesClient administrator;
  private static KubernetesClient controller;
  private static KubernetesClient checker;

  /** Has every verb on every resource of its namespace, and no right beyond. */
  private static KubernetesClient tenant;

  @BeforeAll
  static void installAsAUserDoes() throws IOException, InterruptedException {
    server = RealApiServer.start(directory);
    administrator = as(null);
    controller = as("system:serviceaccount:poolkeeper:poolkeeper");
    checker = as("system:serviceaccount:default:change-freeze-checker");
    tenant = as("tenant");
    Kubectl kubectl = Kubectl.of(server, directory);
    kubectl.run("apply", "-f", "deploy/first");
    kubectl.run("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all");
    kubectl.run("apply", "-k", "deploy/kustomize/overlays/outside");
    for (String file : List.of("examples/checker", "optional/answer-policy")) {
      kubectl.run("apply", "--validate=strict", "-f", "deploy/%s.yaml".formatted(file));
    }
    kubectl.run("create", "role", "all", "-n", "default", "--verb=*", "--resource=*.*");
    kubectl.run("create", "rolebinding", "all", "-n", "default", "--role=all", "--user=tenant");
    administrator.resource(binding("web", BY_NAME)).create();
    // A try before the policy is in force is accepted. The next must change something again.
    AtomicInteger next = new AtomicInteger();
    Supplier<String> change = () -> status("{queued: %d}".formatted(next.incrementAndGet()));
    await().untilAsserted(() -> refused(tenant, change.get(), "status.queued"));
  }

  @AfterAll
  static void stop() {
    List.of(administrator, controller, checker, tenant).forEach(KubernetesClient::close);
    server.close();
  }

  @BeforeEach
  void theControllerAsks() {
    web(administrator).delete();
    administrator.resource(binding("web", BY_NAME)).create();
    String asked =
        """
        {observedGeneration: 1, addresses: {added: [10.0.0.4], desired: [10.0.0.4]},
         admissionChecks: [{name: change-freeze, state: Pending, TIME, retryCount: 4},
                           {name: budget, state: Pending, TIME}],
         conditions: [{type: Ready, status: "False", reason: Held, message: "", TIME}]}
        """;
    report(asked);
  }

  private static KubernetesClient as(@Nullable String user) {
    Config admin = Config.fromKubeconfig(server.kubeconfig());
    admin.setImpersonateUsername(user);
    admin.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(admin).build();
  }

  private static Resource<BackendPoolBinding> web(KubernetesClient by) {
    return by.resources(BackendPoolBinding.class).inNamespace("default").withName("web");
  }

  private static List<BindingStatus.CheckStatus> checks() {
    return web(administrator).require().getStatus().admissionChecks();
  }

  /** As the controller does. */
  private static void report(String status) {
    BackendPoolBinding read = web(controller).require();
    read.setStatus(YAML.unmarshal("---\n" + status.replace("TIME", TIME), BindingStatus.class));
    controller.resource(read).updateStatus();
  }

  private static void patch(KubernetesClient by, String changes) {
    Object yaml = YAML.unmarshal("---\n[%s]".formatted(changes.replace("TIME", TIME)), List.class);
    web(by).subresource("status").patch(PatchContext.of(PatchType.JSON), YAML.asJson(yaml));
  }

  private static void refused(KubernetesClient by, String changes, String message) {
    assertThatThrownBy(() -> patch(by, changes))
        .hasMessageContaining(message)
        .extracting(refusal -> ((KubernetesClientException) refusal).getCode())
        .isEqualTo(403);
  }

  @Test
  void theExampleChecker_answersItsCheck() {
    Answer answer = new Answer("Retry", "freeze", Map.of("requeueAfterSeconds", 480));
    new ExampleChecker(checker, "change-freeze", retries -> answer, () -> Instant.EPOCH)
        .onAdd(YAML.convertValue(web(checker).require(), GenericKubernetesResource.class));

    assertThat(checks().getFirst())
        .isEqualTo(
            new BindingStatus.CheckStatus(
                "change-freeze", "Retry", "1970-01-01T00:00:00Z", "freeze", 480, 4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {op: replace, path: /status/admissionChecks/1/state, value: Ready}      | answer | the entry of budget
          {op: remove, path: /status/admissionChecks/1}                           | answer | the entry of budget
          {op: add, path: /status/admissionChecks/-, value: {name: a, state: Ready, TIME}} | answer | the entry of a
          {op: remove, path: /status/admissionChecks/0/retryCount}                | control | retryCount of change-freeze
          {op: add, path: /status/admissionChecks/1/retryCount, value: 1}         | control | retryCount of budget
          {op: remove, path: /status/admissionChecks/0}                           | control | retryCount of change-freeze
          {op: replace, path: /status/observedGeneration, value: 2}               | control | status.observedGeneration
          {op: replace, path: /status/conditions/0/status, value: "True"}         | control | status.conditions
          {op: remove, path: /status/addresses/added/0}                           | control | status.addresses
          {op: remove, path: /status/addresses}                                   | control | status.addresses
          """)
  void whatIsNotTheCheckersAnswer_isRefused(String change, String verb, String what) {
    refused(
        checker,
        change,
        "verb %s on admissionchecks.poolkeeper.io, in the whole cluster, is needed to change %s"
            .formatted(verb, what));
  }

  @Test
  void aForgerWithAllRightsInItsNamespace_mayNotAnswer_andMayWriteTheSpec() {
    refused(tenant, answers(1), "verb answer on admissionchecks.poolkeeper.io");
    assertThat(checks()).extracting("state").containsExactly("Pending", "Pending");

    web(tenant).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"active\": false}}");
    assertThat(web(tenant).require().getSpec().active()).isFalse();
  }

  @Test
  void inTheLargestStatusOfTheController_thePolicyStaysWithinItsCost() {
    String checks =
        list(32, "{name: c-%02d-NAME, state: Retry, TIME, message: TEXT, retryCount: 1000000}")
            .replaceFirst("c-00-NAME", "change-freeze")
            .replace("NAME", "n".repeat(58))
            .replace("TEXT", "m".repeat(1024));
    String addresses =
        "{added: A, desired: A, down: A, inPool: A}"
            .replace("A", "[" + list(5000, "10.1.100.%d") + "]");
    report("{admissionChecks: [%s], addresses: %s}".formatted(checks, addresses));

    refused(checker, answers(2), "the entry of change-freeze, c-01-n");
    refused(checker, answers(3), "two checks at most, not change-freeze, c-01-n");
    refused(checker, "{op: remove, path: /status/admissionChecks}", "retryCount of change-freeze");
    patch(checker, answers(1));
    assertThat(checks()).hasSize(32).extracting("state").startsWith("Ready", "Retry");
  }

  private static String answers(int entries) {
    return list(entries, "{op: replace, path: /status/admissionChecks/%d/state, value: Ready}");
  }

  private static String status(String whole) {
    return "{op: add, path: /status, value: %s}".formatted(whole);
  }

  private static String list(int size, String item) {
    return IntStream.range(0, size).mapToObj(item::formatted).collect(joining(", "));
  }
}
