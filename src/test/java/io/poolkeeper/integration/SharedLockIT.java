package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The controller beside a cloud provider that takes the shared Lease. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SharedLockIT {
  private static final Map<String, String> BEFORE = Map.of("10.0.0.1", "n1");
  private static final Map<String, String> AFTER = Map.of("10.0.0.2", "n2");

  private static final ControllerFixture fixture = new ControllerFixture();

  @BeforeAll
  static void start() throws Exception {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    Seed seed = Seed.of("shop-web", fixture.cluster.service("web")).holding(BEFORE);
    fixture.cluster.endpoints("web", "n1");
    fixture.arm.put(LB, seed);
    fixture.startController("");
    fixture.awaitReady();
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  private static Resource<Lease> lease() {
    return fixture
        .cluster
        .client()
        .leases()
        .inNamespace("kube-system")
        .withName("aks-managed-resource-locker");
  }

  private static void hold(String identity) {
    var now = Instant.now().atZone(ZoneOffset.UTC);
    Lease found = Objects.requireNonNullElseGet(lease().get(), SharedLockIT::fresh);
    Lease changed =
        new LeaseBuilder(found)
            .editOrNewSpec()
            .withHolderIdentity(identity)
            .withLeaseDurationSeconds(900)
            .withAcquireTime(now)
            .withRenewTime(now)
            .endSpec()
            .build();
    fixture.cluster.client().resource(changed).createOr(r -> r.update());
  }

  private static Lease fresh() {
    return new LeaseBuilder()
        .withNewMetadata()
        .withNamespace("kube-system")
        .withName("aks-managed-resource-locker")
        .endMetadata()
        .build();
  }

  private static String holder() {
    return String.valueOf(lease().get().getSpec().getHolderIdentity());
  }

  /** As the cloud provider says it, or anybody who may write events. */
  private static void say(String service, String reason) {
    fixture
        .cluster
        .client()
        .resource(
            new EventBuilder()
                .withNewMetadata()
                .withNamespace(SimulatedCluster.NAMESPACE)
                .withName(service)
                .endMetadata()
                .withNewInvolvedObject()
                .withKind("Service")
                .withNamespace(SimulatedCluster.NAMESPACE)
                .withName(service)
                .endInvolvedObject()
                .withNewSource()
                .withComponent("service-controller")
                .endSource()
                .withReason(reason)
                .withMessage("fail to lock azure resources")
                .withCount(1)
                .build())
        .create();
  }

  private static double secondsWaitedForTheLease() {
    return fixture
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("cloudprovider_azure_lock_wait_duration_seconds_sum"))
        .filter(line -> line.contains("shared_lease"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Test
  @Order(1)
  void aBusyLeaseIsWaitedForInSilence_andItsReleaseIsSeen() {
    hold("cloud-controller-manager");
    fixture.cluster.endpoints("web", "n2");

    eventually(
        () ->
            assertThat(fixture.pool(LB, "shop-web").path("why").asText())
                .startsWith("the shared Lease is held by cloud-controller-manager since 20"));
    ControllerFixture.Answer ready = fixture.get("/readyz");
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.body()).contains("\"ready\":true", "held by cloud-controller-manager");
    assertThat(fixture.arm.members(LB, "shop-web")).isEqualTo(BEFORE);
    assertThat(fixture.cluster.events("web")).isEmpty();

    hold("");

    fixture.awaitMembers(LB, "shop-web", AFTER);
    eventually(() -> assertThat(holder()).isEmpty());
    assertThat(fixture.awaitEvents("web", ControllerFixture.UPDATED)).hasSize(1);
    assertThat(fixture.get("/metrics").body())
        .contains("cloudprovider_azure_lock_wait_duration_seconds_count{")
        .contains("poolkeeper_lock_bypassed_total 0.0");
  }

  /**
   * Members would be held around the cloud provider's next try, 5 s after each of them. The last
   * event is the cloud provider's own, and shows that those before it were heard.
   */
  @Test
  @Order(2)
  void anEventsWriterWithAHundredServicesThatThereAreNotHoldsNothing() {
    for (int number = 0; number < 100; number++) {
      say("made-up-" + number, "SyncLoadBalancerFailed");
    }
    int mark = fixture.arm.mark();
    say("web", "EnsuredLoadBalancer");
    eventually(() -> assertThat(fixture.arm.reads(mark)).isNotEmpty());

    double before = secondsWaitedForTheLease();
    fixture.cluster.endpoints("web", "n1");
    fixture.awaitMembers(LB, "shop-web", BEFORE);

    assertThat(secondsWaitedForTheLease() - before).isLessThan(1);
    fixture.cluster.endpoints("web", "n2");
    fixture.awaitMembers(LB, "shop-web", AFTER);
  }
}
