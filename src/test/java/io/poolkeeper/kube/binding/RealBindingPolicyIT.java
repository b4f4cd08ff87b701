package io.poolkeeper.kube.binding;

import static io.poolkeeper.kube.binding.BindingSamples.BY_NAME;
import static io.poolkeeper.kube.binding.BindingSamples.YAML;
import static io.poolkeeper.kube.binding.BindingSamples.binding;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may write what of a binding: both policies, beside the shipped RBAC and the example. */
@Tag("real-apiserver")
class RealBindingPolicyIT {
  private static final String OURS = BackendPoolBinding.FINALIZER;
  private static final String TIME = "lastTransitionTime: \"2024-02-06T10:00:00Z\"";

  private static final String SYSTEM = "system:serviceaccount:kube-system:";

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
    kubectl.run("apply", "-f", "deploy/kustomize/base/poolkeeper.yaml");
    administrator.resource(stored()).create();
    String policy = Files.readString(Path.of("deploy/optional/binding-policy.yaml"));
    Path ours = directory.resolve("binding-policy.yaml");
    Files.writeString(ours, policy.replace("\"''\"", "\"'s-1'\""));
    for (String file :
        List.of(
            "deploy/examples/checker.yaml",
            "deploy/optional/answer-policy.yaml",
            ours.toString())) {
      kubectl.run("apply", "--validate=strict", "-f", file);
    }
    kubectl.run("create", "role", "all", "-n", "default", "--verb=*", "--resource=*.*");
    kubectl.run("create", "rolebinding", "all", "-n", "default", "--role=all", "--user=tenant");
    administrator.resource(binding("web", BY_NAME)).create();
    // A try before the policy is in force is accepted. The next must change something again.
    AtomicInteger next = new AtomicInteger();
    Supplier<String> change = () -> status("{queued: %d}".formatted(next.incrementAndGet()));
    await().untilAsserted(() -> refused(tenant, change.get(), "status.queued"));
    BackendPoolBinding forged = held(binding("forged", BY_NAME));
    await().untilAsserted(() -> refused(() -> tenant.resource(forged).dryRun().create(), "to add"));
  }

  @AfterAll
  static void stop() {
    List.of(administrator, controller, checker, tenant).forEach(KubernetesClient::close);
    server.close();
  }

  @BeforeEach
  void theControllerAsks() {
    if (web(administrator).get() != null) {
      change(administrator, finalizers(""));
    }
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
    refused(() -> patch(by, changes), message);
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
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

  private static BackendPoolBinding held(BackendPoolBinding binding) {
    binding.getMetadata().setFinalizers(List.of(OURS));
    return binding;
  }

  private static BackendPoolBinding stored() {
    BackendPoolBinding stored = binding("stored", id("/subscriptions/other/"));
    stored.getMetadata().setNamespace("kube-public");
    return stored;
  }

  private static String id(String subscription) {
    return "{id: \"%s\"}".formatted(BindingSamples.ID.replace("/subscriptions/s-1/", subscription));
  }

  private static String finalizers(String list) {
    return "{\"metadata\": {\"finalizers\": [%s]}}".formatted(list);
  }

  private static void change(KubernetesClient by, String merge) {
    web(by).patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  private static void hold() {
    change(controller, finalizers("\"%s\"".formatted(OURS)));
  }

  @Test
  void aTenant_createsChangesAndDeletesBindings_asBefore() {
    String more = "\"example.org/theirs\"";
    change(tenant, finalizers(more));
    change(tenant, "{\"metadata\": {\"labels\": {\"a\": \"b\"}, \"finalizers\": null}}");
    tenant.resource(binding("mine", id("/SUBSCRIPTIONS/S-1/"))).create();
    hold();
    change(tenant, finalizers("\"%s\", %s".formatted(OURS, more)));
    change(tenant, finalizers("\"%s\"".formatted(OURS)));
    change(tenant, "{\"spec\": {\"active\": false}}");

    web(tenant).delete();
    tenant.resource(binding("mine", BY_NAME)).delete();

    assertThat(web(tenant).require().getMetadata().getDeletionTimestamp()).isNotNull();
    change(controller, finalizers(""));
    assertThat(tenant.resources(BackendPoolBinding.class).inNamespace("default").list().getItems())
        .extracting(one -> one.getMetadata().getName())
        .doesNotContain("web", "mine");
  }

  @Test
  void aTenant_neitherAddsNorRemovesTheFinalizer() {
    String needed =
        "verb control on admissionchecks.poolkeeper.io, in the whole cluster, is needed to ";
    String held = finalizers("\"example.org/a\", \"%s\"".formatted(OURS));
    refused(() -> tenant.resource(held(binding("forged", BY_NAME))).create(), needed + "add");
    refused(() -> change(tenant, held), needed + "add");

    hold();

    refused(() -> change(tenant, finalizers("")), needed + "remove");
    refused(() -> change(tenant, "{\"metadata\": {\"finalizers\": null}}"), needed + "remove");
    refused(() -> tenant.resource(without()).update(), needed + "remove");
    web(tenant).delete();
    refused(() -> change(tenant, finalizers("")), needed + "remove");
  }

  private static BackendPoolBinding without() {
    BackendPoolBinding read = web(tenant).require();
    read.getMetadata().setFinalizers(List.of());
    return read;
  }

  /** The namespace controller and the garbage collector go on; an administrator does the rest. */
  @Test
  void withoutAController_aNamespaceEnds_whenAnAdministratorHasUninstalled() {
    hold();
    try (KubernetesClient namespaces = as(SYSTEM + "namespace-controller");
        KubernetesClient garbage = as(SYSTEM + "generic-garbage-collector")) {
      web(tenant).withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();
      namespaces.resources(BackendPoolBinding.class).inNamespace("default").delete();
      change(garbage, finalizers("\"%s\"".formatted(OURS)));
      assertThat(web(administrator).require().getMetadata().getFinalizers()).containsExactly(OURS);

      BindingTraces.read(administrator).forEach(trace -> trace.removal().run());

      assertThat(web(administrator).get()).isNull();
    }
  }

  @Test
  void aNewBinding_namesAPoolOfTheConfiguredSubscription_andAStoredOneStaysAsItIs() {
    refused(
        () -> tenant.resource(binding("far", id("/subscriptions/s-10/"))).create(),
        "backendPool.id must be in the subscription s-1");

    Resource<BackendPoolBinding> stored =
        administrator
            .resources(BackendPoolBinding.class)
            .inNamespace("kube-public")
            .withName("stored");
    stored.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"active\": false}}");
    assertThat(stored.require().getSpec().active()).isFalse();
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
