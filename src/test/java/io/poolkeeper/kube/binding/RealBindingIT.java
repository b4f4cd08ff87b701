package io.poolkeeper.kube.binding;

import static io.poolkeeper.kube.binding.BindingSamples.BY_NAME;
import static io.poolkeeper.kube.binding.BindingSamples.ID;
import static io.poolkeeper.kube.binding.BindingSamples.YAML;
import static io.poolkeeper.kube.binding.BindingSamples.binding;
import static io.poolkeeper.kube.binding.BindingSamples.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped definition, the example Role and the example checker on a real API server. */
@Tag("real-apiserver")
class RealBindingIT {
  private static final BindingViews VIEWS =
      new BindingViews(InstantSource.system(), InstantSource.system());

  @TempDir static Path directory;
  private static RealApiServer server;
  private static KubernetesClient client;
  private static Kubectl kubectl;

  @BeforeAll
  static void installAsAUserDoes() throws IOException, InterruptedException {
    server = RealApiServer.shared();
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(server.kubeconfig()))
            .build();
    kubectl = Kubectl.of(server, directory);
    kubectl.run("apply", "-f", CrdFile.SHIPPED.toString());
    kubectl.run("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all");
    kubectl.run("apply", "--validate=strict", "-f", "deploy/examples/checker.yaml");
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  @AfterEach
  void clean() {
    client.resources(BackendPoolBinding.class).inNamespace("default").delete();
  }

  private static Resource<BackendPoolBinding> web() {
    return client.resources(BackendPoolBinding.class).inNamespace("default").withName("web");
  }

  private static BackendPoolBinding create(BackendPoolBinding binding) {
    return client.resource(binding).create();
  }

  private static void refused(ThrowingCallable call, int code, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refusal -> {
              assertThat(refusal.getCode()).isEqualTo(code);
              assertThat(refusal.getMessage()).contains(message);
            });
  }

  private static void patchStatus(KubernetesClient by, String status) {
    by.resources(BackendPoolBinding.class)
        .inNamespace("default")
        .withName("web")
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": %s}".formatted(status));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {backendPool: {id: X}}                           | spec.serviceRef: Required value
          {serviceRef: {name: web}}                        | spec.backendPool: Required value
          {serviceRef: {name: web}, backendPool: {}}       | either id, or loadBalancer and pool
          {serviceRef: {name: web}, backendPool: {pool: p}} | either id, or loadBalancer and pool
          {serviceRef: {name: web}, backendPool: {id: ID, pool: p}} | either id, or loadBalancer and pool
          {serviceRef: {name: web}, backendPool: {id: ID, resourceGroup: r}} | either id, or loadBalancer and pool
          {serviceRef: {name: web}, backendPool: {id: /subscriptions/s}} | id must be /subscriptions/.../resourceGroups/...
          {serviceRef: {name: web}, backendPool: {id: ID/x}} | id must be /subscriptions/.../resourceGroups/...
          {serviceRef: {name: web}, backendPool: {id: "/subscriptions/s/resourceGroups/$(id)/providers/Microsoft.Network/loadBalancers/l/backendAddressPools/p"}} | names consist of letters
          {serviceRef: {name: web}, backendPool: {id: "IX\\n"}}    | names consist of letters
          {serviceRef: {name: web}, backendPool: {id: "IX x"}}    | names consist of letters
          {serviceRef: {name: web}, backendPool: {id: "IX."}}     | names consist of letters
          {serviceRef: {name: web}, backendPool: {loadBalancer: l, pool: p, resourceGroup: "`r`"}} | names consist of letters
          {serviceRef: {name: web}, backendPool: {loadBalancer: a/b, pool: p}} | spec.backendPool.loadBalancer in body should match
          {serviceRef: {name: Web}, backendPool: {id: ID}} | spec.serviceRef.name in body should match
          {serviceRef: {name: web}, backendPool: {id: ID}, ipFamily: ipv4} | Unsupported value: "ipv4"
          {serviceRef: {name: web}, backendPool: {id: ID}, admissionChecks: [a, a]} | Duplicate value: "a"
          {serviceRef: {name: web}, backendPool: {id: ID}, admissionChecks: [A]} | spec.admissionChecks[0] in body should match
          {serviceRef: {name: web}, backendPool: {id: ID}, admissionChecks: MANY} | must have at most 16 items
          """)
  void aWrongSpec_isRefusedWithAReason(String spec, String message) {
    String many = "[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q]";
    BackendPoolBinding wrong =
        spec(
            "web",
            spec.replace("MANY", many)
                .replace("IX", ID)
                .replace("ID", "\"" + ID + "\"")
                .replace("\"/x", "/x\""));

    refused(() -> create(wrong), 422, message);
  }

  @Test
  void aNewBinding_isHeldToTheRuleOnNames_thoughItBringsAStatus() {
    BackendPoolBinding forged = binding("web", "{id: \"%s x\"}".formatted(ID));
    forged.setStatus(YAML.unmarshal("queued: 3", BindingStatus.class));

    refused(() -> create(forged), 422, "names consist of letters");
  }

  /**
   * Validation ratcheting does not help here, as the rule is about the whole object: servers
   * without it behave alike.
   */
  @Test
  void aBindingStoredBeforeTheRuleOnNames_isChangedAndLetGo_onceItHasAStatus_asUninstallGivesIt()
      throws Exception {
    BackendPoolBinding old = binding("web", "{loadBalancer: l, pool: p, resourceGroup: $(id)}");
    old.getMetadata().setFinalizers(List.of(BackendPoolBinding.FINALIZER));
    Path before = directory.resolve("before.yaml");
    String shipped = Files.readString(CrdFile.SHIPPED);
    Files.writeString(before, shipped.replace("has(self.status) ||", "true ||"));
    kubectl.run("apply", "-f", before.toString());
    await().ignoreExceptions().until(() -> create(old) != null);
    kubectl.run("apply", "-f", CrdFile.SHIPPED.toString());
    String none = "{\"metadata\": {\"finalizers\": null}}";
    String active = "{\"spec\": {\"active\": %s}}";
    await()
        .untilAsserted(
            () -> refused(() -> patch(active.formatted(false)), 422, "names consist of letters"));

    assertThat(BindingTraces.read(client)).hasSize(1).allSatisfy(trace -> trace.removal().run());

    assertThat(BindingTraces.read(client)).isEmpty();
    patch("{\"metadata\": {\"finalizers\": [\"%s\"]}}".formatted(BackendPoolBinding.FINALIZER));
    patch(active.formatted(false));
    web().delete();
    patch(none);
    assertThat(web().get()).isNull();
  }

  private static void patch(String merge) {
    web().patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  @Test
  void aBindingWithoutSpec_isRefused() {
    BackendPoolBinding none = binding("web", BY_NAME);
    none.setSpec(null);

    refused(() -> create(none), 422, "spec: Required value");
  }

  @Test
  void theExampleBinding_isAccepted() throws IOException, InterruptedException {
    kubectl.run("apply", "--validate=strict", "-f", "deploy/examples/binding.yaml");

    assertThat(VIEWS.view(web().require()).problems()).isEmpty();
  }

  @Test
  void bothForms_areAccepted_andTheDefaultsAreFilledIn() {
    BackendPoolBinding byId =
        create(binding("by-id", "{id: \"%s\"}".formatted(ID.toLowerCase(Locale.ROOT))));
    BackendPoolBinding byName =
        create(binding("web", "{loadBalancer: l, pool: p, resourceGroup: (r).x}"));

    assertThat(byName.getSpec().ipFamily()).isEqualTo("IPv4");
    assertThat(byName.getSpec().active()).isTrue();
    assertThat(VIEWS.view(byId).problems()).isEmpty();
    assertThat(VIEWS.view(byName).problems()).isEmpty();
  }

  @Test
  void whatWouldOrphanAddresses_isImmutable_andTheRestIsNot() {
    create(binding("web", BY_NAME));

    refused(
        () -> change(binding("web", "{loadBalancer: lb-1, pool: other}")),
        422,
        "backendPool is immutable: delete the binding and create another");
    refused(
        () -> change(binding("web", BY_NAME, "ipFamily: IPv6")),
        422,
        "ipFamily is immutable: delete the binding and create another");
    BackendPoolBinding changed =
        change(
            spec(
                "web",
                "{serviceRef: {name: api}, backendPool: %s, active: false}".formatted(BY_NAME)));
    assertThat(changed.getMetadata().getGeneration()).isEqualTo(2);
  }

  private static BackendPoolBinding change(BackendPoolBinding next) {
    next.getMetadata().setResourceVersion(web().get().getMetadata().getResourceVersion());
    return client.resource(next).update();
  }

  @Test
  void statusAndSpec_areWrittenApart() {
    BackendPoolBinding created = create(binding("web", BY_NAME));
    created.setStatus(YAML.unmarshal("queued: 3", BindingStatus.class));
    assertThat(client.resource(created).update().getStatus()).isNull();

    BackendPoolBinding status = web().get();
    status.setStatus(YAML.unmarshal("queued: 4", BindingStatus.class));
    status.setSpec(binding("web", BY_NAME, "active: false").getSpec());
    BackendPoolBinding written = client.resource(status).updateStatus();

    assertThat(written.getStatus().queued()).isEqualTo(4);
    assertThat(written.getSpec().active()).isTrue();
    assertThat(written.getMetadata().getGeneration()).isEqualTo(1);
    refused(() -> client.resource(status).updateStatus(), 409, "the object has been modified");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {state: Maybe, TIME}                          | Unsupported value: "Maybe"
          {state: Retry, TIME, requeueAfterSeconds: -1} | should be greater than or equal to 0
          {state: Retry, TIME, requeueAfterSeconds: 2147483648} | should be less than or equal to
          {state: Ready}                                | lastTransitionTime: Required value
          {state: Ready, lastTransitionTime: today}     | must be of type date-time
          {state: Ready, TIME}, {name: a, state: Ready, TIME} | Duplicate value
          """)
  void aWrongAnswer_isRefused(String check, String message) {
    create(binding("web", BY_NAME, "admissionChecks: [a]"));
    String time = "lastTransitionTime: \"2024-02-06T10:00:00Z\"";
    String checks = check.replace("{state", "{name: a, state").replace("TIME", time);
    Object status = YAML.unmarshal("admissionChecks: [%s]".formatted(checks), Map.class);

    refused(() -> patchStatus(client, YAML.asJson(status)), 422, message);
  }

  @Test
  void kubectl_showsWhatHappens() throws IOException, InterruptedException {
    create(binding("web", BY_NAME));
    patchStatus(
        client,
        """
        {"backendPool": {"loadBalancer": "lb-1", "pool": "web"}, "queued": 2, "retry": {"count": 1},
         "requeueAt": "2024-02-06T10:00:00Z",
         "conditions": [{"type": "Ready", "status": "False", "reason": "Retrying", "message": "",
           "lastTransitionTime": "2024-02-06T10:00:00Z"}]}
        """);

    List<String> lines = kubectl.run("get", "bpb", "-A");

    assertThat(lines.getFirst().split(" +"))
        .containsExactly(
            "NAMESPACE",
            "NAME",
            "SERVICE",
            "LB",
            "POOL",
            "READY",
            "REASON",
            "QUEUED",
            "RETRIES",
            "NEXT",
            "AGE");
    assertThat(lines.getLast())
        .matches(
            "default +web +web +lb-1 +web +False +Retrying +2 +1 +2024-02-06T10:00:00Z +\\d+s *");
  }

  @Test
  void aChecker_mayPatchAllOfTheStatus_andNothingElse() {
    create(binding("web", BY_NAME, "admissionChecks: [a]"));
    try (KubernetesClient checker = checker()) {
      patchStatus(
          checker,
          """
          {"addresses": {"added": ["10.0.0.4"]}, "observedGeneration": 7,
           "admissionChecks": [{"name": "a", "state": "Ready",
            "lastTransitionTime": "2024-02-06T10:00:00Z"}]}
          """);
      BindingStatus status = web().get().getStatus();
      assertThat(status.admissionChecks()).hasSize(1);
      assertThat(status.addresses().added()).as("only the policy forbids it").hasSize(1);

      String forbidden = "forbidden";
      refused(
          () ->
              checker
                  .resources(BackendPoolBinding.class)
                  .inNamespace("default")
                  .withName("web")
                  .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"active\": false}}"),
          403,
          forbidden);
      refused(() -> checker.resource(web().get()).updateStatus(), 403, forbidden);
      refused(() -> checker.resource(binding("other", BY_NAME)).create(), 403, forbidden);
      refused(() -> checker.resource(binding("web", BY_NAME)).delete(), 403, forbidden);
      refused(
          () -> checker.resources(BackendPoolBinding.class).inNamespace("kube-system").list(),
          403,
          forbidden);
      refused(() -> checker.services().inNamespace("default").list(), 403, forbidden);
      refused(
          () ->
              checker
                  .resource(
                      new ConfigMapBuilder()
                          .withNewMetadata()
                          .withName("a")
                          .withNamespace("default")
                          .endMetadata()
                          .build())
                  .create(),
          403,
          forbidden);
    }
  }

  private static KubernetesClient checker() {
    Config admin = Config.fromKubeconfig(server.kubeconfig());
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(admin)
                .withImpersonateUsername("system:serviceaccount:default:change-freeze-checker")
                .withRequestRetryBackoffLimit(0)
                .build())
        .build();
  }
}
