package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import io.poolkeeper.kube.binding.BindingStatus;
import io.poolkeeper.kube.binding.BindingStatus.CheckStatus;
import io.poolkeeper.kube.binding.BindingStatus.Condition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole controller, and bindings to a pool that the cloud provider does not manage. */
class BindingsIT {
  private static final String GATEWAY = "gateway";
  private static final String ALLOWED =
      """
      poolkeeper.admission.allowed-pools.shop =
        ["/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers/gateway/backendAddressPools/*"]
      # No deletion ends before no write of a process before can arrive any more.
      poolkeeper.turnstile.turn-deadline = 2s
      """
          .formatted(SimulatedArm.SUBSCRIPTION, SimulatedArm.GROUP);

  private static final Map<String, String> THEIRS = Map.of("10.9.9.9", "theirs");

  private final ControllerFixture fixture = new ControllerFixture();

  @BeforeEach
  void start() throws Exception {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    fixture.cluster.service("web");
    fixture.cluster.endpoints("web", "n1");
    fixture.arm.put(LB);
    fixture.arm.put(GATEWAY, Seed.of("blue", "any").holding(THEIRS));
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private void install() throws Exception {
    fixture
        .cluster
        .client()
        .load(Files.newInputStream(Path.of("deploy/first/backendpoolbindings.yaml")))
        .create();
  }

  private NonNamespaceOperation<
          BackendPoolBinding,
          KubernetesResourceList<BackendPoolBinding>,
          Resource<BackendPoolBinding>>
      all() {
    return fixture.cluster.client().resources(BackendPoolBinding.class).inNamespace("shop");
  }

  private void bind(String name, String more) {
    String yaml =
        """
        apiVersion: poolkeeper.io/v1alpha1
        kind: BackendPoolBinding
        metadata: {name: %s, namespace: shop}
        spec: {serviceRef: {name: web}, backendPool: {loadBalancer: gateway, pool: blue}%s}
        """
            .formatted(name, more);
    all()
        .resource(
            fixture
                .cluster
                .client()
                .getKubernetesSerialization()
                .unmarshal(yaml, BackendPoolBinding.class))
        .create();
  }

  /** What is in the pool if the node's entry is, too. */
  private Map<String, String> held(String address, String node) {
    String uid =
        fixture
            .cluster
            .client()
            .namespaces()
            .withName("kube-system")
            .require()
            .getMetadata()
            .getUid();
    return Map.of(
        "10.9.9.9", "theirs", address, node + ".pk-" + uid.replace("-", "").substring(0, 16));
  }

  private BindingStatus status(String name) {
    BindingStatus status = all().withName(name).get().getStatus();
    assertThat(status).isNotNull();
    assertThat(status.conditions()).isNotNull();
    return Objects.requireNonNull(status);
  }

  private Condition condition(String name, String type) {
    return Objects.requireNonNull(status(name).conditions()).stream()
        .filter(condition -> type.equals(condition.type()))
        .findFirst()
        .orElseThrow();
  }

  private void answer(String name, String state, int seconds) {
    BackendPoolBinding binding = all().withName(name).get();
    CheckStatus check = Objects.requireNonNull(binding.getStatus()).admissionChecks().getFirst();
    String patch =
        """
        [{"op": "test", "path": "/metadata/resourceVersion", "value": "%s"},
         {"op": "replace", "path": "/status/admissionChecks/0", "value":
          {"name": "%s", "state": "%s", "lastTransitionTime": "%s",
           "requeueAfterSeconds": %d, "retryCount": %d}}]
        """
            .formatted(
                binding.getMetadata().getResourceVersion(),
                check.name(),
                state,
                Instant.now(),
                seconds,
                check.retryCount());
    all().withName(name).subresource("status").patch(PatchContext.of(PatchType.JSON), patch);
  }

  @Test
  void aBindingFillsItsPool_withItsMark_andLeavesWhatIsNotIts() throws Exception {
    install();
    fixture.startController(ALLOWED);
    fixture.awaitReady();

    bind("web", "");

    fixture.awaitMembers(GATEWAY, "blue", held("10.0.0.1", "n1"));
    eventually(
        () -> {
          assertThat(condition("web", "Ready").status()).isEqualTo("True");
          assertThat(condition("web", "Admitted").status()).isEqualTo("True");
          assertThat(Objects.requireNonNull(status("web").addresses()).added())
              .containsExactly("10.0.0.1");
          assertThat(status("web").queued()).isZero();
          assertThat(status("web").observedGeneration()).isEqualTo(1);
        });

    fixture.cluster.endpoints("web", "n2");
    fixture.awaitMembers(GATEWAY, "blue", held("10.0.0.2", "n2"));

    all().withName("web").delete();
    fixture.awaitMembers(GATEWAY, "blue", THEIRS);
    eventually(() -> assertThat(all().withName("web").get()).isNull());
  }

  @Test
  void aCheckHoldsThePool_throughARestart_untilItIsReady() throws Exception {
    install();
    fixture.startController(ALLOWED);
    fixture.awaitReady();
    bind("web", ", admissionChecks: [freeze]");
    eventually(
        () -> {
          assertThat(status("web").admissionChecks()).hasSize(1);
          assertThat(condition("web", "Ready").reason()).isEqualTo("Held");
        });

    answer("web", "Retry", 2);
    Instant asked = Instant.now();
    eventually(() -> assertThat(status("web").requeueAt()).isNotNull());
    fixture.stopController();
    fixture.startController(ALLOWED);
    fixture.awaitReady();
    eventually(
        () -> {
          CheckStatus check = status("web").admissionChecks().getFirst();
          assertThat(check.state()).isEqualTo("Pending");
          assertThat(check.retryCount()).isEqualTo(1);
        });
    assertThat(Instant.now()).isAfter(asked.plus(Duration.ofSeconds(1)));
    assertThat(fixture.arm.puts(GATEWAY, "blue", 0)).isEmpty();
    assertThat(fixture.get("/metrics").body()).contains("poolkeeper_admission_resets_total 1.0");

    answer("web", "Ready", 0);

    fixture.awaitMembers(GATEWAY, "blue", held("10.0.0.1", "n1"));
    eventually(() -> assertThat(condition("web", "Ready").status()).isEqualTo("True"));
  }

  @Test
  void aPoolThatItMayNotName_isRefused_andSaidWhy() throws Exception {
    install();
    fixture.startController("");
    fixture.awaitReady();

    bind("web", "");

    eventually(
        () -> {
          assertThat(condition("web", "Ready").reason()).isEqualTo("NotAllowed");
          assertThat(condition("web", "Ready").message()).contains("allowed-pools", "shop");
        });
    assertThat(fixture.arm.puts(GATEWAY, "blue", 0)).isEmpty();
    all().withName("web").delete();
    eventually(() -> assertThat(all().withName("web").get()).isNull());
  }

  @Test
  void aSecondBindingOfThePool_isTaken_untilTheFirstIsGone() throws Exception {
    install();
    fixture.startController(ALLOWED);
    fixture.awaitReady();
    bind("a", "");
    fixture.awaitMembers(GATEWAY, "blue", held("10.0.0.1", "n1"));
    // Times of creation are whole seconds; in the same one the UIDs would decide.
    Instant created = Instant.parse(all().withName("a").get().getMetadata().getCreationTimestamp());
    eventually(() -> assertThat(Instant.now()).isAfter(created.plusSeconds(1)));

    bind("b", ", admissionChecks: [freeze]");

    eventually(
        () -> {
          assertThat(condition("b", "Ready").reason()).isEqualTo("Taken");
          assertThat(condition("b", "Ready").message()).contains("shop/a");
        });
    assertThat(status("b").admissionChecks()).isNullOrEmpty();
    all().withName("a").delete();
    // Whether the entry of the first was taken out before or is taken over, this one waits.
    fixture.cluster.endpoints("web", "n2");
    eventually(() -> assertThat(condition("b", "Ready").reason()).isEqualTo("Held"));
    eventually(() -> assertThat(all().withName("a").get()).isNull());
  }

  @Test
  void withoutTheResource_theControllerWorks_andFindsItWhenItIsInstalled() throws Exception {
    String rules = fixture.cluster.service("api");
    fixture.cluster.endpoints("api", "n2");
    fixture.arm.put(LB, Seed.of("shop-api", rules));
    fixture.startController(ALLOWED + "poolkeeper.admission.checks = [freeze]");
    fixture.awaitReady();
    fixture.awaitMembers(LB, "shop-api", Map.of("10.0.0.2", "n2"));

    install();
    bind("web", "");

    ControllerFixture.within(Duration.ofSeconds(40))
        .untilAsserted(() -> assertThat(status("web").admissionChecks()).hasSize(1));
  }

  @Test
  void aPoolOfTheCloudProvider_waitsForNoCheck() throws Exception {
    install();
    String rules = fixture.cluster.service("api");
    fixture.cluster.endpoints("api", "n2");
    fixture.arm.put(LB, Seed.of("shop-api", rules));
    fixture.startController("poolkeeper.admission.checks = [freeze]");
    fixture.awaitReady();

    fixture.awaitMembers(LB, "shop-api", Map.of("10.0.0.2", "n2"));
    assertThat(all().list().getItems()).isEmpty();
  }

  @Test
  void aBindingOfAMissingPool_saysSo_andGoesWhenItIsDeleted() throws Exception {
    install();
    fixture.arm.put(GATEWAY);
    fixture.startController(ALLOWED);
    fixture.awaitReady();

    bind("web", "");

    eventually(() -> assertThat(condition("web", "Ready").reason()).isEqualTo("PoolNotFound"));
    assertThat(List.of(all().withName("web").get().getMetadata().getFinalizers().toArray()))
        .containsExactly(BackendPoolBinding.FINALIZER);
    all().withName("web").delete();
    eventually(() -> assertThat(all().withName("web").get()).isNull());
  }
}
