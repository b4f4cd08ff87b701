package io.poolkeeper.node;

import io.poolkeeper.model.OutOfService;
import java.time.Duration;

/** The port through which status and metrics hear of nodes. Never blocks, never fails. */
public interface NodeObserver {
  /** Who is out of service now, as the pools hear it. */
  void changed(OutOfService outOfService);

  /** A node's signal came or went, and so long after that the last pool showed it. */
  void propagated(Duration took);
}
