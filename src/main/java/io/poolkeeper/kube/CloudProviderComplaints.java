package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.poolkeeper.kube.EventWatch.Field;
import io.poolkeeper.kube.EventWatch.Selection;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.ServiceKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the events of the cloud provider's main loop: that a try for a Service failed for the
 * shared Lease, or that a try succeeded, which may have written the Service's pools. Nothing relies
 * on these events: without them the Lease is free less often, and verifications by time remain.
 */
final class CloudProviderComplaints {
  private static final String FAILED_LOCK = "fail to lock azure resources";

  private static final Selection SELECTION =
      new Selection(
          Field.SOURCE,
          "service-controller",
          "Service",
          false,
          "the cloud provider's writes are noticed later, and that it waits for the shared Lease is"
              + " not");

  private CloudProviderComplaints() {}

  /**
   * Starts to watch; returns at once.
   *
   * @param wrote receives each Service whose pools may have been written
   * @param lock receives all complaints and successes
   */
  static EventWatch start(
      WatchClient api,
      InstantSource clock,
      InstantSource wall,
      Consumer<ServiceKey> wrote,
      Consumer<SharedLockEvent> lock) {
    return new EventWatch(
        api,
        SELECTION,
        event ->
            heard(event, clock.instant(), wall.instant())
                .ifPresent(
                    heard -> {
                      if (heard instanceof SharedLockEvent.Served served) {
                        wrote.accept(served.service());
                      }
                      lock.accept(heard);
                    }));
  }

  /** The meaning of an event that is received now. */
  static Optional<SharedLockEvent> heard(Event event, Instant now, Instant wall) {
    ServiceKey service =
        new ServiceKey(
            event.getInvolvedObject().getNamespace(), event.getInvolvedObject().getName());
    return switch (Objects.requireNonNullElse(event.getReason(), "")) {
      case "EnsuredLoadBalancer", "UpdatedLoadBalancer" ->
          Optional.of(new SharedLockEvent.Served(service));
      case "SyncLoadBalancerFailed", "UpdateLoadBalancerFailed" ->
          Objects.requireNonNullElse(event.getMessage(), "").contains(FAILED_LOCK)
              ? Optional.of(new SharedLockEvent.Complained(service, at(event, now, wall)))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /**
   * The event's time, in whole seconds; its arrival says less about it, as events may be delayed.
   */
  private static Instant at(Event event, Instant now, Instant wall) {
    try {
      Instant latest = Instant.parse(event.getLastTimestamp()).plusSeconds(1);
      Duration late = Duration.between(latest, wall);
      return late.isPositive() ? now.minus(late) : now;
    } catch (DateTimeException | NullPointerException unsaid) {
      return now;
    }
  }
}
