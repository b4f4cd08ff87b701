package io.poolkeeper.node;

/** The port through which status and metrics hear of nodes. Never blocks, never fails. */
public interface NodeObserver {
  /** The nodes out of service, or the progress of pools, have changed. */
  void changed(NodesView nodes);

  /** The actor runs an effect now. */
  void ran(NodeEffect effect);
}
