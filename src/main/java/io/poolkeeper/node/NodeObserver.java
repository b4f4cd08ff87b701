package io.poolkeeper.node;

import java.time.Duration;

/** The port through which status and metrics hear of nodes. Never blocks, never fails. */
public interface NodeObserver {
  /** The nodes out of service, or the progress of pools, have changed. */
  void changed(NodesView nodes);

  /** A pool keeps more nodes in service, as too few entries would be left. */
  void held(int nodes);

  /** An event was ignored, as its message announces no preemption. */
  void eventIgnored();

  /** The last pool shows a node's signal; {@code took} since the signal came or went. */
  void propagated(Duration took);
}
