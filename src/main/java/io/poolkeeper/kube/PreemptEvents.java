package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventSeries;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.poolkeeper.kube.EventWatch.Selection;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.Truncated;
import io.poolkeeper.node.NodeEvent.Origin;
import io.poolkeeper.node.NodeEvent.Preempted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches the events by which the node-problem-detector announces that a spot machine will be
 * evicted. Events from before the start count, too: the machine may still be there. The core
 * decides whether to believe them.
 */
final class PreemptEvents {
  private static final Selection SELECTION =
      Selection.byReason(
              "PreemptScheduled", "Node", "evictions are noticed from conditions of Nodes only")
          .withListed();

  /** The longest message and source that is kept: the API server's own limit for newer events. */
  static final int MAX_LENGTH = 1_024;

  private PreemptEvents() {}

  /** Starts to watch; returns at once. */
  static EventWatch start(WatchClient api, InstantSource wall, Consumer<Preempted> preempted) {
    return new EventWatch(
        api, SELECTION, event -> preempted.accept(preempted(event, wall.instant())));
  }

  static Preempted preempted(Event event, Instant now) {
    ObjectReference about = event.getInvolvedObject();
    Instant time = latestTime(event);
    return new Preempted(
        new NodeKey(about.getName()),
        Objects.requireNonNullElse(about.getUid(), ""),
        Truncated.to(MAX_LENGTH, Objects.requireNonNullElse(event.getMessage(), "")),
        time,
        Duration.between(time, now),
        new Origin(
            Objects.requireNonNullElse(event.getMetadata().getNamespace(), ""),
            Objects.requireNonNullElse(about.getNamespace(), ""),
            Truncated.to(MAX_LENGTH, Objects.requireNonNullElse(EventWatch.component(event), ""))));
  }

  /** The latest time of an event; its sender decides which times it has. */
  static Instant latestTime(Event event) {
    EventSeries series = event.getSeries();
    return Stream.of(
            instant(event.getLastTimestamp()),
            instant(event.getFirstTimestamp()),
            instant(event.getEventTime()),
            instant(series == null ? null : series.getLastObservedTime()))
        .max(Comparator.naturalOrder())
        .filter(time -> time.isAfter(Instant.EPOCH))
        .orElseGet(() -> instant(event.getMetadata().getCreationTimestamp()));
  }

  private static Instant instant(@Nullable MicroTime time) {
    return instant(time == null ? null : time.getTime());
  }

  private static Instant instant(@Nullable String time) {
    try {
      return time == null ? Instant.EPOCH : Instant.parse(time);
    } catch (DateTimeParseException unreadable) {
      return Instant.EPOCH;
    }
  }
}
