package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.integration.SimulatedArm.Seed;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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

  private static void install(ControllerFixture fixture) throws Exception {
    var client = fixture.cluster.client();
    client.load(Files.newInputStream(Path.of("deploy/first/backendpoolbindings.yaml"))).create();
    String binding =
        """
        apiVersion: poolkeeper.io/v1alpha1
        kind: BackendPoolBinding
        metadata: {name: web, namespace: shop}
        spec: {serviceRef: {name: web}, backendPool: {loadBalancer: gateway, pool: blue}}
        """;
    client
        .resource(client.getKubernetesSerialization().unmarshal(binding, BackendPoolBinding.class))
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
