package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import io.poolkeeper.kube.binding.ExampleChecker;
import io.poolkeeper.kube.binding.ExampleChecker.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A cluster without bindings, and then with one. What becomes of bindings is in the lab's scenario
 * admission, and on a real API server in {@link RealBindingsIT}.
 */
class BindingsIT {
  private static final String SETTINGS =
      """
      poolkeeper.admission.allowed-pools.shop =
        ["/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers/gateway/backendAddressPools/*"]
      poolkeeper.admission.checks = [freeze]
      """
          .formatted(SimulatedArm.SUBSCRIPTION, SimulatedArm.GROUP);

  @Test
  void withoutTheResource_theControllerWorks_andFindsItWhenItIsInstalled() throws Exception {
    try (ControllerFixture fixture = web()) {
      fixture.startController(SETTINGS);
      fixture.awaitReady();
      // A pool of the cloud provider waits for no check.
      fixture.awaitMembers(LB, "shop-web", Map.of("10.0.0.1", "n1"));

      define(fixture);
      install(fixture, "");

      ControllerFixture.within(Duration.ofSeconds(40))
          .untilAsserted(
              () ->
                  assertThat(bound(fixture).getStatus())
                      .isNotNull()
                      .satisfies(status -> assertThat(status.admissionChecks()).hasSize(1)));
    }
  }

  /** One check is the operator's, the other one the binding's own; each asks for a delay. */
  @Test
  void twoChecks_thatAskForDelays_areBothAskedAgainAfterTheLongerOne() throws Exception {
    Map<String, Instant> asked = new ConcurrentHashMap<>();
    try (ControllerFixture fixture = web()) {
      define(fixture);
      fixture.startController(SETTINGS);
      try (var quota = checker(fixture, "quota", 4, asked)) {
        install(fixture, ", admissionChecks: [quota]");
        ControllerFixture.eventually(
            () -> assertThat(checks(fixture)).containsExactly("quota Retry", "freeze Pending"));
        try (var freeze = checker(fixture, "freeze", 1, asked)) {
          ControllerFixture.eventually(
              () ->
                  assertThat(fixture.arm.members("gateway", "blue")).containsOnlyKeys("10.0.0.1"));
          assertThat(freeze.isRunning() && quota.isRunning()).isTrue();
        }
      }
      // Checkers write whole seconds, rounded down.
      assertThat(asked).containsOnlyKeys("freeze 0", "freeze 1", "quota 0", "quota 1");
      Instant longer = asked.get("quota 0").truncatedTo(ChronoUnit.SECONDS).plusSeconds(4);
      assertThat(asked.get("freeze 1")).isAfterOrEqualTo(longer);
      assertThat(asked.get("quota 1")).isAfterOrEqualTo(longer);
      assertThat(fixture.arm.puts("gateway", "blue", 0)).hasSize(1);
      assertThat(fixture.get("/metrics").body()).contains("poolkeeper_admission_resets_total 1.0");
      assertThat(checks(fixture)).containsExactly("quota Ready", "freeze Ready");
    }
  }

  private static List<String> checks(ControllerFixture fixture) {
    return Stream.ofNullable(bound(fixture).getStatus())
        .flatMap(status -> status.admissionChecks().stream())
        .map(check -> check.name() + " " + check.state())
        .toList();
  }

  /** It asks for one delay, and then is Ready; it finds the pool empty whenever it is asked. */
  private static SharedIndexInformer<GenericKubernetesResource> checker(
      ControllerFixture fixture, String name, int seconds, Map<String, Instant> asked) {
    return new ExampleChecker(
            fixture.cluster.client(),
            name,
            retries -> {
              asked.put(name + " " + retries, Instant.now());
              assertThat(fixture.arm.members("gateway", "blue")).isEmpty();
              return retries == 0
                  ? new Answer("Retry", "later", Map.of("requeueAfterSeconds", seconds))
                  : new Answer("Ready", "now", Map.of());
            },
            InstantSource.system())
        .start("shop");
  }

  /** A Service with a pool of its own, and a pool that is bound to nothing yet. */
  private static ControllerFixture web() {
    ControllerFixture fixture = new ControllerFixture();
    fixture.cluster.node("n1", "10.0.0.1");
    String rules = fixture.cluster.service("web");
    fixture.cluster.endpoints("web", "n1");
    fixture.arm.put(LB, Seed.of("shop-web", rules));
    fixture.arm.put("gateway", Seed.of("blue", "any"));
    return fixture;
  }

  /** Anybody who may create bindings may name any pool, and write the finalizer himself. */
  @Test
  void forgedDeletions_readEightPoolsAtOnce_andNoneThatIsElsewhere() throws Exception {
    try (ControllerFixture fixture = new ControllerFixture()) {
      IntFunction<String> pool = number -> "p" + number;
      fixture.arm.put(
          "gateway",
          IntStream.range(0, 20)
              .mapToObj(number -> Seed.of(pool.apply(number), "rule-" + number))
              .toArray(Seed[]::new));
      fixture.arm.deny("Microsoft.Network/loadBalancers/backendAddressPools/read");
      define(fixture);
      String id = SimulatedArm.pool("gateway", "p0").path();
      forge(fixture, "far", "id: " + id.replace(SimulatedArm.SUBSCRIPTION, "theirs"));
      forge(fixture, "beside", "id: " + id.replace(SimulatedArm.GROUP, "theirs"));
      IntStream.range(0, 20)
          .mapToObj(pool)
          .forEach(name -> forge(fixture, name, "loadBalancer: gateway, pool: " + name));

      fixture.startController(
          SETTINGS
              + "poolkeeper.turnstile { turn-deadline = 1s, retry-budget.min-per-second = 100 }");
      fixture.awaitReady();

      ControllerFixture.within(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(forged(fixture)).hasSize(20));
      ControllerFixture.within(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(read(fixture, 0)).hasSize(8));
      int refused = fixture.arm.mark();
      fixture.arm.giveBackAll();
      ControllerFixture.within(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(forged(fixture)).isEmpty());
      assertThat(read(fixture, refused)).hasSize(20);
      assertThat(fixture.arm.reads(0)).noneMatch(read -> read.path().contains("theirs"));
    }
  }

  private static Set<String> read(ControllerFixture fixture, int mark) {
    return fixture.arm.reads(mark).stream().map(ArmLogEntry::path).collect(Collectors.toSet());
  }

  private static void forge(ControllerFixture fixture, String name, String pool) {
    BackendPoolBinding forged = binding(fixture, "stranger", name, pool, "");
    forged.getMetadata().setFinalizers(List.of(BackendPoolBinding.FINALIZER));
    fixture.cluster.client().resource(forged).create();
    fixture.cluster.client().resource(forged).delete();
  }

  private static List<BackendPoolBinding> forged(ControllerFixture fixture) {
    return fixture
        .cluster
        .client()
        .resources(BackendPoolBinding.class)
        .inNamespace("stranger")
        .list()
        .getItems();
  }

  private static void define(ControllerFixture fixture) throws Exception {
    var client = fixture.cluster.client();
    client.load(Files.newInputStream(Path.of("deploy/first/backendpoolbindings.yaml"))).create();
  }

  private static BackendPoolBinding binding(
      ControllerFixture fixture, String namespace, String name, String pool, String more) {
    String binding =
        """
        apiVersion: poolkeeper.io/v1alpha1
        kind: BackendPoolBinding
        metadata: {name: %s, namespace: %s}
        spec: {serviceRef: {name: web}, backendPool: {%s}%s}
        """
            .formatted(name, namespace, pool, more);
    return fixture
        .cluster
        .client()
        .getKubernetesSerialization()
        .unmarshal(binding, BackendPoolBinding.class);
  }

  private static void install(ControllerFixture fixture, String more) {
    fixture
        .cluster
        .client()
        .resource(binding(fixture, "shop", "web", "loadBalancer: gateway, pool: blue", more))
        .create();
  }

  private static BackendPoolBinding bound(ControllerFixture fixture) {
    return fixture
        .cluster
        .client()
        .resources(BackendPoolBinding.class)
        .inNamespace("shop")
        .withName("web")
        .get();
  }
}
