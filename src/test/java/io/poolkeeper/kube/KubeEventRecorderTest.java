package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KubeEventRecorderTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.123Z");
  private static final ServiceKey WEB = new ServiceKey("shop", "web");
  private static final ServiceKey LAST = new ServiceKey("shop", "last");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final EmbeddedCluster cluster = EmbeddedCluster.start(0);
  private final KubeEventRecorder recorder =
      new KubeEventRecorder(cluster.client(), now::get, Duration.ofSeconds(30));

  @AfterEach
  void stop() {
    recorder.close();
    cluster.close();
  }

  @Test
  void record_event_isCompleteOnItsService() {
    recorder.record(warning("boom"));

    Event event = awaitEvents().getFirst();
    assertThat(event.getMetadata().getNamespace()).isEqualTo("shop");
    assertThat(event.getMetadata().getName()).matches("web\\.[0-9a-f]+");
    assertThat(event.getInvolvedObject().getApiVersion()).isEqualTo("v1");
    assertThat(event.getInvolvedObject().getKind()).isEqualTo("Service");
    assertThat(event.getInvolvedObject().getNamespace()).isEqualTo("shop");
    assertThat(event.getInvolvedObject().getName()).isEqualTo("web");
    assertThat(event.getInvolvedObject().getUid()).isEqualTo("u-1");
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getReason()).isEqualTo("Failed");
    assertThat(event.getMessage()).isEqualTo("boom");
    assertThat(event.getSource().getComponent()).isEqualTo("poolkeeper");
    assertThat(event.getReportingComponent()).isEqualTo("poolkeeper");
    assertThat(event.getFirstTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(event.getLastTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(event.getCount()).isEqualTo(1);
  }

  @Test
  void record_eventAboutANode_isInTheDefaultNamespace() {
    recorder.record(
        new ObjectEvent(
            ObjectReference.of(new NodeKey("node-1"), "u-7"),
            ObjectEvent.Type.NORMAL,
            "LoadBalancerAdminStateDown",
            "down"));

    await().atMost(Duration.ofSeconds(10)).until(() -> !inDefault().isEmpty());
    assertThat(inDefault())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getMetadata().getName()).matches("node-1\\.[0-9a-f]+");
              assertThat(event.getInvolvedObject().getKind()).isEqualTo("Node");
              assertThat(event.getInvolvedObject().getNamespace()).isNull();
              assertThat(event.getInvolvedObject().getName()).isEqualTo("node-1");
              assertThat(event.getInvolvedObject().getUid()).isEqualTo("u-7");
            });
  }

  @Test
  void record_longMessage_isCutAt1024() {
    recorder.record(warning("x".repeat(3000)));

    assertThat(awaitEvents().getFirst().getMessage()).isEqualTo("x".repeat(1024));
  }

  @Test
  void record_repeatedWithin10Minutes_raisesTheCount() {
    recorder.record(warning("boom"));
    advance(Duration.ofMinutes(9));
    recorder.record(warning("boom"));
    advance(Duration.ofMinutes(9));
    recorder.record(warning("boom"));

    Event event = awaitEvents().getFirst();
    assertThat(awaitEvents()).hasSize(1);
    assertThat(event.getCount()).isEqualTo(3);
    assertThat(event.getFirstTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(event.getLastTimestamp()).isEqualTo("2026-01-01T00:18:00Z");
    assertThat(event.getMessage()).isEqualTo("boom");
  }

  @Test
  void record_repeatedLater_isANewEvent() {
    recorder.record(warning("boom"));
    advance(Duration.ofMinutes(10).plusMillis(1));
    recorder.record(warning("boom"));

    assertThat(awaitEvents()).hasSize(2).allMatch(event -> event.getCount() == 1);
  }

  @Test
  void record_anythingDifferent_isANewEvent() {
    recorder.record(warning("boom"));
    recorder.record(warning("bang"));
    recorder.record(event(WEB, "u-2", ObjectEvent.Type.WARNING, "Failed", "boom"));
    recorder.record(event(WEB, "u-1", ObjectEvent.Type.NORMAL, "Failed", "boom"));
    recorder.record(event(WEB, "u-1", ObjectEvent.Type.WARNING, "Other", "boom"));

    assertThat(awaitEvents()).hasSize(5).allMatch(event -> event.getCount() == 1);
  }

  @Test
  void record_repeatOfAnEventThatWasDeleted_isANewEvent() {
    recorder.record(warning("boom"));
    awaitEvents();
    cluster.client().v1().events().inNamespace("shop").delete();

    recorder.record(warning("boom"));

    assertThat(awaitEvents()).hasSize(1).allMatch(event -> event.getCount() == 1);
  }

  @Test
  void record_moreThanTheFilterAdmits_isDropped() {
    IntStream.range(0, 40).forEach(i -> recorder.record(warning("boom " + i)));

    assertThat(awaitEvents()).hasSize(25);
    assertThat(recorder.dropped()).isEqualTo(15);
  }

  @Test
  void record_failureAfterManyUpdates_isShown() {
    IntStream.range(0, 40).forEach(i -> recorder.record(updated("done " + i)));
    recorder.record(warning("boom"));

    assertThat(awaitEvents()).hasSize(26).extracting(Event::getMessage).contains("boom");
  }

  @Test
  void record_oneOutcomePerInterval_isAlwaysShown() {
    IntStream.range(0, 40).forEach(i -> recorder.record(updated("done " + i)));
    advance(Duration.ofSeconds(30));
    recorder.record(updated("later"));
    recorder.record(updated("too soon"));

    assertThat(awaitEvents())
        .extracting(Event::getMessage)
        .contains("later")
        .doesNotContain("too soon");
  }

  @Test
  void record_serverDown_neverThrowsAndWorksAfterwards() {
    cluster.stop();
    recorder.record(warning("lost"));
    await().atMost(Duration.ofSeconds(20)).until(recorder::failing);

    cluster.restart();
    recorder.record(warning("boom"));

    assertThat(awaitEvents()).extracting(Event::getMessage).containsExactly("boom");
    assertThat(recorder.failing()).isFalse();
  }

  /** Its answer was lost, and the client has tried again: the clock makes the same name here. */
  @Test
  void record_eventThatExistsAlready_countsAsWritten() {
    recorder.record(warning("boom"));
    awaitEvents();
    try (KubeEventRecorder again =
        new KubeEventRecorder(cluster.client(), now::get, Duration.ofSeconds(30))) {
      again.record(warning("boom"));
      again.record(warning("boom"));

      await().atMost(Duration.ofSeconds(10)).until(() -> events().getFirst().getCount() == 2);
      assertThat(again.failing()).isFalse();
      assertThat(again.dropped()).isZero();
    }
  }

  @Test
  void record_afterClose_isForgotten() {
    recorder.close();

    recorder.record(warning("late"));

    assertThat(events()).isEmpty();
  }

  /** The events about {@code web}, after everything recorded so far was written or dropped. */
  private List<Event> awaitEvents() {
    String marker = "marker " + events().size() + " " + System.identityHashCode(new Object());
    recorder.record(event(LAST, "u-9", ObjectEvent.Type.NORMAL, "Marker", marker));
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> all().stream().anyMatch(event -> event.getMessage().equals(marker)));
    return events();
  }

  private List<Event> events() {
    return all().stream()
        .filter(event -> event.getInvolvedObject().getName().equals("web"))
        .toList();
  }

  private List<Event> all() {
    return cluster.client().v1().events().inNamespace("shop").list().getItems();
  }

  private List<Event> inDefault() {
    return cluster.client().v1().events().inNamespace("default").list().getItems();
  }

  private void advance(Duration duration) {
    awaitEvents();
    now.updateAndGet(instant -> instant.plus(duration));
  }

  private static ObjectEvent event(
      ServiceKey service, String uid, ObjectEvent.Type type, String reason, String message) {
    return new ObjectEvent(ObjectReference.of(service, uid), type, reason, message);
  }

  private static ObjectEvent updated(String message) {
    return event(WEB, "u-1", ObjectEvent.Type.NORMAL, "Updated", message);
  }

  private static ObjectEvent warning(String message) {
    return event(WEB, "u-1", ObjectEvent.Type.WARNING, "Failed", message);
  }
}
