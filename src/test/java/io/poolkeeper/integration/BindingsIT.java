package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    try (ControllerFixture fixture = new ControllerFixture()) {
      fixture.cluster.node("n1", "10.0.0.1");
      String rules = fixture.cluster.service("web");
      fixture.cluster.endpoints("web", "n1");
      fixture.arm.put(LB, Seed.of("shop-web", rules));
      fixture.arm.put("gateway", Seed.of("blue", "any"));
      fixture.startController(SETTINGS);
      fixture.awaitReady();
      // A pool of the cloud provider waits for no check.
      fixture.awaitMembers(LB, "shop-web", Map.of("10.0.0.1", "n1"));

      install(fixture);

      ControllerFixture.within(Duration.ofSeconds(40))
          .untilAsserted(
              () ->
                  assertThat(bound(fixture).getStatus())
                      .isNotNull()
                      .satisfies(status -> assertThat(status.admissionChecks()).hasSize(1)));
    }
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

      fixture.startController(SETTINGS + "poolkeeper.turnstile.turn-deadline = 1s");
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
    BackendPoolBinding forged = binding(fixture, "stranger", name, pool);
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
      ControllerFixture fixture, String namespace, String name, String pool) {
    String binding =
        """
        apiVersion: poolkeeper.io/v1alpha1
        kind: BackendPoolBinding
        metadata: {name: %s, namespace: %s}
        spec: {serviceRef: {name: web}, backendPool: {%s}}
        """
            .formatted(name, namespace, pool);
    return fixture
        .cluster
        .client()
        .getKubernetesSerialization()
        .unmarshal(binding, BackendPoolBinding.class);
  }

  private static void install(ControllerFixture fixture) throws Exception {
    define(fixture);
    fixture
        .cluster
        .client()
        .resource(binding(fixture, "shop", "web", "loadBalancer: gateway, pool: blue"))
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
