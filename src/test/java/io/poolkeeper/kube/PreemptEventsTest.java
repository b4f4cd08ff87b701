package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.node.NodeEvent.Origin;
import io.poolkeeper.node.NodeEvent.Preempted;
import io.poolkeeper.watch.WatchLiveness;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PreemptEventsTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");

  private final EmbeddedCluster cluster = EmbeddedCluster.start(0);
  private final WatchClient api =
      new WatchClient(cluster.client(), Mirrors.CLOCK, WatchLiveness.Limits.SHIPPED);
  private final List<Preempted> heard = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    api.close();
    cluster.close();
  }

  @Test
  void preempted_eventOfTheDetector_hasNodeMessageAndTime() {
    assertThat(PreemptEvents.preempted(Samples.preemptEvent("e", "node-1"), NOW))
        .isEqualTo(
            new Preempted(
                new NodeKey("node-1"),
                "node-1",
                "Preempt Scheduled: soon.",
                NOW.minusSeconds(20),
                Duration.ofSeconds(20),
                new Origin(
                    "default", "", "custom-scheduledevents-consolidated-preempt-plugin-monitor")));
  }

  @Test
  void preempted_eventOfTheNewerKind_hasTheTimeOfItsSeries() {
    Event newer =
        new EventBuilder(Samples.preemptEvent("e", "node-1"))
            .withFirstTimestamp(null)
            .withLastTimestamp(null)
            .withEventTime(new MicroTime("2026-01-01T00:00:10.000000Z"))
            .withNewSeries()
            .withCount(3)
            .withLastObservedTime(new MicroTime("2026-01-01T00:00:30.500000Z"))
            .endSeries()
            .build();

    assertThat(PreemptEvents.preempted(newer, NOW).at()).isEqualTo("2026-01-01T00:00:30.5Z");
  }

  @Test
  void preempted_eventWithoutTimes_hasThatOfItsObject() {
    Event bare =
        new EventBuilder(Samples.preemptEvent("e", "node-1"))
            .withFirstTimestamp(null)
            .withLastTimestamp("not a time")
            .editMetadata()
            .withCreationTimestamp("2026-01-01T00:00:05Z")
            .endMetadata()
            .editInvolvedObject()
            .withUid(null)
            .endInvolvedObject()
            .withMessage(null)
            .build();

    Preempted preempted = PreemptEvents.preempted(bare, NOW);
    assertThat(preempted.at()).isEqualTo("2026-01-01T00:00:05Z");
    assertThat(preempted.uid()).isEmpty();
    assertThat(preempted.message()).isEmpty();
  }

  @Test
  void start_reportsWhatWasThereAndWhatComes_aboutNodesOnly() {
    cluster.client().resource(Samples.preemptEvent("old", "node-1")).create();
    try (EventWatch events = PreemptEvents.start(api, () -> NOW, heard::add)) {
      await().atMost(SOON).until(() -> events.isOpen() && nodes().equals(Set.of("node-1")));
      Event freeze = Samples.preemptEvent("other", "node-2");
      freeze.setReason("FreezeScheduled");
      cluster.client().resource(freeze).create();
      Event ofPod = Samples.preemptEvent("pod", "node-3");
      ofPod.getInvolvedObject().setKind("Pod");
      cluster.client().resource(ofPod).create();
      cluster.client().resource(Samples.preemptEvent("new", "node-4")).create();

      await().atMost(SOON).until(() -> nodes().contains("node-4"));
      assertThat(nodes()).containsExactlyInAnyOrder("node-1", "node-4");
    }
  }

  /** An event may be delivered several times. */
  private Set<String> nodes() {
    return heard.stream().map(event -> event.node().name()).collect(Collectors.toSet());
  }
}
