package io.poolkeeper.pool;

import io.poolkeeper.model.ObjectEvent;

/**
 * The port for Kubernetes events. Recording never blocks and never fails; an event that cannot be
 * delivered is logged and dropped.
 */
@FunctionalInterface
public interface EventRecorder {
  void record(ObjectEvent event);

  /** How many events were dropped so far: spam, too many at once, or not taken by the server. */
  default long dropped() {
    return 0;
  }
}
