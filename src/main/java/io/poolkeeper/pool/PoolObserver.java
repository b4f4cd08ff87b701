package io.poolkeeper.pool;

import io.poolkeeper.model.PoolId;

/** The port through which status and metrics hear of pools. Never blocks, never fails. */
public interface PoolObserver {
  void changed(PoolStatus status);

  /** The actor runs an effect now. */
  void ran(PoolId pool, PoolEffect effect);

  void forgotten(PoolId pool);

  /** Runs a decision of the pool: what it calls and logs is about the pool. */
  default void around(PoolId pool, Runnable decision) {
    decision.run();
  }
}
