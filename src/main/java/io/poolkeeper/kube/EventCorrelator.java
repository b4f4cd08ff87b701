package io.poolkeeper.kube;

import io.poolkeeper.model.ServiceEvent;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What becomes of an event before it is written: a spam filter per Service, and one series for
 * events that repeat, as in Kubernetes' own recorders. It writes nothing itself. Confined to one
 * thread; remembers {@value #MAX_SERIES} series at most.
 */
public final class EventCorrelator {
  static final int MAX_SERIES = 4096;
  static final int MAX_MESSAGE = 1024;

  /** An event that repeats an earlier one within this raises the count of that one. */
  static final Duration REPEAT = Duration.ofMinutes(10);

  private record Series(String name, int count, Instant last) {}

  private final EventSpamFilter<ServiceKey> spam = new EventSpamFilter<>();
  private final Map<ServiceEvent, Series> series = new LruMap<>(MAX_SERIES);

  /**
   * What is to be written.
   *
   * @param repeats the name of the Event object whose count is to be raised; empty for a new one
   * @param count how often the event has happened, this time included
   */
  public record Write(ServiceEvent event, Optional<String> repeats, int count) {
    Write anew() {
      return new Write(event, Optional.empty(), 1);
    }
  }

  /** What to write for an event, whose message is cut to its bound; empty if it is spam. */
  public Optional<Write> correlate(ServiceEvent event, Instant now) {
    if (!spam.admit(event.service(), now)) {
      return Optional.empty();
    }
    ServiceEvent bounded = bounded(event);
    Series earlier = series.get(bounded);
    boolean repeats = earlier != null && !earlier.last().plus(REPEAT).isBefore(now);
    return Optional.of(
        repeats
            ? new Write(bounded, Optional.of(earlier.name()), earlier.count() + 1)
            : new Write(bounded, Optional.empty(), 1));
  }

  /** The write has succeeded, on the Event object of that name. */
  public void written(Write write, String name, Instant now) {
    series.put(write.event(), new Series(name, write.count(), now));
  }

  private static ServiceEvent bounded(ServiceEvent event) {
    String message = event.message();
    return message.length() <= MAX_MESSAGE
        ? event
        : new ServiceEvent(
            event.service(),
            event.uid(),
            event.type(),
            event.reason(),
            message.substring(0, MAX_MESSAGE));
  }
}
