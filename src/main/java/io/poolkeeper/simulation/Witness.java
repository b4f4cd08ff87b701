package io.poolkeeper.simulation;

import io.poolkeeper.pool.PoolDecision;
import io.poolkeeper.pool.PoolEvent;

/** Hears of every decision of a pool, so that it can be repeated elsewhere. */
interface Witness {
  /** Hears and forgets. */
  Witness NONE = (cell, event, decision) -> {};

  void decided(PoolCell cell, PoolEvent event, PoolDecision decision);
}
