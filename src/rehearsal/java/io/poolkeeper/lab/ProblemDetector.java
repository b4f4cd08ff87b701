package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventSource;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What AKS's node-problem-detector writes about scheduled events (facts/arm 7.2, from users'
 * reports): an event, whose uid is the node's name in older builds, and conditions.
 */
record ProblemDetector(KubernetesClient client, InstantSource clock) {
  private static final String MONITOR =
      "custom-scheduledevents-consolidated-preempt-plugin-monitor";
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** The text of older builds. */
  String scheduled(Duration ahead) {
    return "Preempt Scheduled: %s. DurationInSeconds: -1.  For more information, see https://aka.ms/aks/scheduledevents."
        .formatted(DATE.format(clock.instant().plus(ahead)));
  }

  /** The text of newer builds. */
  String scheduled(Duration ahead, String eventId) {
    return scheduled(ahead) + " EventId: " + eventId;
  }

  Event event(String node, String uid, String reason, String message) {
    return event(node, uid, reason, message, clock.instant());
  }

  Event event(String node, String uid, String reason, String message, Instant when) {
    var about = new ObjectReference("v1", null, "Node", node, null, null, uid);
    var source = new EventSource(MONITOR, node);
    return client.resource(Objects.event(about, source, "Warning", reason, message, when)).create();
  }

  /** Counts an event again, as the same one. */
  void again(Event event) {
    client
        .v1()
        .events()
        .inNamespace("default")
        .withName(event.getMetadata().getName())
        .accept(
            current -> {
              current.setCount(current.getCount() + 1);
              current.setLastTimestamp(clock.instant().toString());
            });
  }

  /** Sets a condition of a node to True; once more, it only has another heartbeat. */
  void condition(String node, String type, String reason, String message) {
    String now = clock.instant().toString();
    client
        .nodes()
        .withName(node)
        .editStatus(
            current -> {
              List<NodeCondition> all = new ArrayList<>(current.getStatus().getConditions());
              String since =
                  all.stream()
                      .filter(one -> one.getType().equals(type))
                      .map(NodeCondition::getLastTransitionTime)
                      .findFirst()
                      .orElse(now);
              all.removeIf(one -> one.getType().equals(type));
              all.add(
                  new NodeConditionBuilder()
                      .withType(type)
                      .withStatus("True")
                      .withReason(reason)
                      .withMessage(message)
                      .withLastHeartbeatTime(now)
                      .withLastTransitionTime(since)
                      .build());
              current.getStatus().setConditions(all);
              return current;
            });
  }
}
