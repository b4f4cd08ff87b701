package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectEvent.Type;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.time.Duration;
import java.util.List;

/** The reasons and texts of the events about a pool, in one place (spec 1, Event Behavior). */
final class EventTexts {
  static final String UPDATED = "LoadBalancerBackendPoolUpdated";
  static final String RETRYING = "LoadBalancerBackendPoolUpdateRetrying";
  static final String FOUND = "LoadBalancerLeftoverFound";
  static final String CONTESTED = "LoadBalancerBackendPoolContested";
  static final String FAILED = "LoadBalancerBackendPoolUpdateFailed";
  static final String REMOVAL_HELD = "LoadBalancerBackendPoolRemovalHeld";

  /** Follows the sentence of the spec (decision 0005). */
  private static final String REPAIR = " Poolkeeper also tries again by itself.";

  private EventTexts() {}

  static ObjectEvent updated(Ownership service) {
    return event(service, Type.NORMAL, UPDATED, "Load balancer backend pool updated successfully");
  }

  /**
   * A retriable failure that will be tried again. Without the ids of the call: equal texts become
   * one Event with a count.
   */
  static ObjectEvent retrying(Ownership service, ArmFailure failure) {
    String text = "Backend pool update failed, will retry: " + failure;
    return event(service, Type.WARNING, RETRYING, text.endsWith(".") ? text : text + ".");
  }

  /** A failure that a retry would not cure. */
  static ObjectEvent failed(Ownership service, ArmFailure failure) {
    return event(
        service,
        Type.WARNING,
        FAILED,
        "Backend pool update failed (non-retriable): " + failure.explained() + REPAIR);
  }

  /** A retriable failure after the last retry. */
  static ObjectEvent exhausted(Ownership service, int retries, ArmFailure failure) {
    return event(
        service,
        Type.WARNING,
        FAILED,
        "Backend pool update failed after %d retries: ".formatted(retries)
            + failure.explained()
            + " To retrigger, cause an endpoint change for the Service (e.g., restart or scale a"
            + " backing pod)."
            + REPAIR);
  }

  /** State that should not exist, of one kind (spec 4, Detection). */
  static String found(PoolId pool, Leftover.Kind kind, List<Leftover> found) {
    String what =
        switch (kind) {
          case ADDRESS -> "entries that no Service wants";
          case DOWN -> "entries that are Down although their nodes are in service";
          case NOT_DOWN -> "entries that are not Down although their nodes are out of service";
        };
    return "Found state that should not exist in backend pool %s: %s (%d, such as %s). It is put right."
        .formatted(pool, what, found.size(), found.getFirst());
  }

  /** Another client removes entries that the Service needs, again and again. */
  static ObjectEvent contested(Ownership service, PoolId pool, List<Address> missing) {
    return event(
        service,
        Type.WARNING,
        CONTESTED,
        ("Another client removes entries from backend pool %s again and again (%d, such as %s)."
                + " Poolkeeper goes on to put them back, but later each time, up to %d minutes."
                + " Find that client: the activity log of Azure names it.")
            .formatted(
                pool, missing.size(), missing.getFirst().text(), PoolLimits.MISSING.toMinutes()));
  }

  static String removalHeld(PoolView pool, long entries, Duration delay) {
    return "The removal of %d of %d entries from backend pool %s waits %d s (brake.delay), as it is so large. Additions go on."
        .formatted(entries, pool.entries().size(), pool.id(), delay.toSeconds());
  }

  static ObjectEvent removalHeld(Ownership service, String text) {
    return event(service, Type.WARNING, REMOVAL_HELD, text);
  }

  private static ObjectEvent event(Ownership service, Type type, String reason, String message) {
    return new ObjectEvent(reference(service), type, reason, message);
  }

  static ObjectReference reference(Ownership service) {
    return ObjectReference.of(service.service(), service.uid());
  }
}
