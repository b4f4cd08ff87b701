package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.watch.WatchLiveness;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CloudProviderEventsTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final String CLOUD_PROVIDER = "azure-cloud-provider";
  private static final String UPDATED = "LoadBalancerBackendPoolUpdated";

  private final EmbeddedCluster cluster = EmbeddedCluster.start(0);
  private final WatchClient api =
      new WatchClient(cluster.client(), Mirrors.CLOCK, WatchLiveness.Limits.SHIPPED);
  private final List<ServiceKey> written = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    api.close();
    cluster.close();
  }

  @Test
  void written_eventOfTheUpdater_namesItsService() {
    assertThat(
            CloudProviderEvents.writtenService(Samples.event("e", "web", CLOUD_PROVIDER, UPDATED)))
        .contains(new ServiceKey("default", "web"));
    Event newer =
        new EventBuilder(Samples.event("e", "web", "", UPDATED))
            .withSource(null)
            .withReportingComponent(CLOUD_PROVIDER)
            .build();
    assertThat(CloudProviderEvents.writtenService(newer))
        .contains(new ServiceKey("default", "web"));
  }

  @Test
  void written_anyOtherEvent_isNone() {
    assertThat(CloudProviderEvents.writtenService(Samples.event("e", "web", "poolkeeper", UPDATED)))
        .isEmpty();
  }

  @Test
  void start_reportsNewAndRepeatedEvents_andNoneFromBefore() {
    create("old", "old", CLOUD_PROVIDER, UPDATED);
    try (EventWatch events = CloudProviderEvents.start(api, written::add)) {
      await().atMost(SOON).until(events::isOpen);
      create("other", "other", CLOUD_PROVIDER, "EnsuredLoadBalancer");
      create("ours", "ours", "poolkeeper", UPDATED);
      Event ofNode = Samples.event("node", "node", CLOUD_PROVIDER, UPDATED);
      ofNode.getInvolvedObject().setKind("Node");
      cluster.client().resource(ofNode).create();
      create("new", "web", CLOUD_PROVIDER, UPDATED);
      await().atMost(SOON).until(() -> written.size() == 1);

      cluster
          .client()
          .v1()
          .events()
          .inNamespace("default")
          .withName("old")
          .edit(event -> new EventBuilder(event).withCount(2).build());

      await().atMost(SOON).until(() -> written.size() == 2);
      assertThat(written)
          .containsExactly(new ServiceKey("default", "web"), new ServiceKey("default", "old"));
    }
  }

  private void create(String name, String service, String component, String reason) {
    cluster.client().resource(Samples.event(name, service, component, reason)).create();
  }
}
