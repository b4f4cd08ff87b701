package io.poolkeeper.pool;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ServiceEvent;
import io.poolkeeper.model.ServiceEvent.Type;
import io.poolkeeper.pool.PoolState.Assigned;

/** The reasons and texts of the events about a pool, in one place (spec 1, Event Behavior). */
final class EventTexts {
  static final String UPDATED = "LoadBalancerBackendPoolUpdated";
  static final String FAILED = "LoadBalancerBackendPoolUpdateFailed";

  private EventTexts() {}

  static ServiceEvent updated(Assigned service) {
    return event(service, Type.NORMAL, UPDATED, "Load balancer backend pool updated successfully");
  }

  static ServiceEvent failed(Assigned service, ArmFailure failure) {
    String error = failure.toString();
    String sentence = error.endsWith(".") ? error : error + ".";
    return event(
        service,
        Type.WARNING,
        FAILED,
        "Backend pool update failed (non-retriable): "
            + sentence
            + " Poolkeeper also tries again by itself.");
  }

  private static ServiceEvent event(Assigned service, Type type, String reason, String message) {
    Assignment assignment = service.assignment();
    return new ServiceEvent(assignment.service(), assignment.uid(), type, reason, message);
  }
}
