package io.poolkeeper.pool;

import io.poolkeeper.model.ServiceEvent;

/**
 * The port through which people hear of outcomes. Recording never blocks and never fails its
 * caller; an event that cannot be delivered is logged and forgotten.
 */
@FunctionalInterface
public interface EventRecorder {
  void record(ServiceEvent event);
}
