package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReference;
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
      Selection.bySource(
          "service-controller",
          "Service",
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
            meaning(event, clock.instant(), wall.instant())
                .ifPresent(
                    meaning -> {
                      if (meaning instanceof SharedLockEvent.Served served) {
                        wrote.accept(served.service());
                      }
                      lock.accept(meaning);
                    }));
  }

  /**
   * The meaning of an event for the shared Lease; empty if it has none.
   *
   * @param now monotonic
   * @param wallNow the same moment by the wall clock
   */
  static Optional<SharedLockEvent> meaning(Event event, Instant now, Instant wallNow) {
    ObjectReference about = event.getInvolvedObject();
    ServiceKey service = new ServiceKey(about.getNamespace(), about.getName());
    return switch (Objects.requireNonNullElse(event.getReason(), "")) {
      case "EnsuredLoadBalancer", "UpdatedLoadBalancer" ->
          Optional.of(new SharedLockEvent.Served(service));
      case "SyncLoadBalancerFailed", "UpdateLoadBalancerFailed" ->
          Objects.requireNonNullElse(event.getMessage(), "").contains(FAILED_LOCK)
              ? Optional.of(
                  new SharedLockEvent.Complained(service, happenedAt(event, now, wallNow)))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** The event's own time, in whole seconds, as it may have been delayed. */
  private static Instant happenedAt(Event event, Instant now, Instant wallNow) {
    try {
      Instant latest = Instant.parse(event.getLastTimestamp()).plusSeconds(1);
      Duration age = Duration.between(latest, wallNow);
      return age.isPositive() ? now.minus(age) : now;
    } catch (DateTimeException | NullPointerException noTime) {
      return now;
    }
  }
}
