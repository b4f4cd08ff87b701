package io.poolkeeper.node;

import java.time.Duration;

/** The port through which status and metrics hear of nodes. Never blocks, never fails. */
public interface NodeObserver {
  /** Who is out of service now, and how far the pools are. */
  void changed(NodesView nodes);

  /** So many nodes more are held in a pool, as too few entries would be left in service. */
  void held(int nodes);

  /** An event was ignored, as its words announce no preemption. */
  void eventIgnored();

  /** A node's signal came or went, and so long after that the last pool showed it. */
  void propagated(Duration took);
}
