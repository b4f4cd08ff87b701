package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.watch.WatchLiveness;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the events of the cloud provider's main loop say about the shared Lease. */
class CloudProviderComplaintsTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final ServiceKey WEB = new ServiceKey("default", "web");
  private static final Instant WALL = Instant.parse("2026-11-21T10:00:00.700Z");

  /** The monotonic clock shows another time. */
  private static final Instant NOW = WALL.minus(Duration.ofSeconds(40));

  private static final String LOCKED =
      "Error syncing load balancer: failed to ensure load balancer: fail to lock azure resources:"
          + " x";

  private static Event event(String reason, String message, @Nullable String time) {
    return new EventBuilder()
        .withNewInvolvedObject()
        .withKind("Service")
        .withNamespace("default")
        .withName("web")
        .endInvolvedObject()
        .withReason(reason)
        .withMessage(message)
        .withLastTimestamp(time)
        .build();
  }

  private static Optional<SharedLockEvent> heard(Event event) {
    return CloudProviderComplaints.meaning(event, NOW, WALL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SyncLoadBalancerFailed", "UpdateLoadBalancerFailed"})
  void heard_lockFailed_isAComplaintOfNow(String reason) {
    assertThat(heard(event(reason, LOCKED, "2026-11-21T10:00:00Z")))
        .contains(new SharedLockEvent.Complained(WEB, NOW));
  }

  @Test
  void heard_late_isAComplaintOfThen() {
    assertThat(heard(event("SyncLoadBalancerFailed", LOCKED, "2026-11-21T09:59:50Z")))
        .contains(new SharedLockEvent.Complained(WEB, NOW.minusMillis(9_700)));
  }

  @Test
  void heard_withoutATime_isAComplaintOfNow() {
    assertThat(heard(event("SyncLoadBalancerFailed", LOCKED, null)))
        .contains(new SharedLockEvent.Complained(WEB, NOW));
  }

  @ParameterizedTest
  @ValueSource(strings = {"EnsuredLoadBalancer", "UpdatedLoadBalancer"})
  void heard_success_isTheEndOfAComplaint(String reason) {
    assertThat(heard(event(reason, "Ensured", "2026-11-21T10:00:00Z")))
        .contains(new SharedLockEvent.Served(WEB));
  }

  @Test
  void start_success_isAWriteOfTheServicesPoolsToo() {
    List<ServiceKey> written = new CopyOnWriteArrayList<>();
    List<SharedLockEvent> lock = new CopyOnWriteArrayList<>();
    try (EmbeddedCluster cluster = EmbeddedCluster.start(0);
        WatchClient api =
            new WatchClient(cluster.client(), Mirrors.CLOCK, WatchLiveness.Limits.SHIPPED);
        EventWatch events =
            CloudProviderComplaints.start(
                api, Mirrors.CLOCK, Mirrors.CLOCK, written::add, lock::add)) {
      await().atMost(SOON).until(events::isOpen);
      create(cluster, "quota", "SyncLoadBalancerFailed", "service-controller");
      create(cluster, "other", "EnsuredLoadBalancer", "another");
      create(cluster, "web", "EnsuredLoadBalancer", "service-controller");
      create(cluster, "api", "UpdatedLoadBalancer", "service-controller");

      await().atMost(SOON).until(() -> lock.size() == 2);
      assertThat(written).extracting(ServiceKey::name).containsExactly("web", "api");
    }
  }

  private static void create(
      EmbeddedCluster cluster, String service, String reason, String component) {
    cluster.client().resource(Samples.event(service, service, component, reason)).create();
  }

  @Test
  void heard_anotherFailure_saysNothingOfTheLease() {
    assertThat(heard(event("SyncLoadBalancerFailed", "no quota", "2026-11-21T10:00:00Z")))
        .isEmpty();
    assertThat(heard(event("EnsuringLoadBalancer", LOCKED, "2026-11-21T10:00:00Z"))).isEmpty();
  }
}
