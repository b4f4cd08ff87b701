package io.poolkeeper.simulation;

import io.poolkeeper.pool.PoolDecision;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.service.ServiceMapCore;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.turnstile.TurnstileDecision;
import io.poolkeeper.turnstile.TurnstileEvent;

/**
 * Hears of the decisions of every cell, so that they can be repeated elsewhere; and forgets those
 * that it is not interested in.
 */
interface Witness {
  /** Forgets all. */
  Witness NONE = new Witness() {};

  /** A pool has decided, and has done nothing of it yet. */
  default void decided(PoolCell cell, PoolEvent event, PoolDecision decision) {}

  /** The map has decided, and has done it. */
  default void decided(MapCell cell, ServiceMapEvent event, ServiceMapCore.Decision decision) {}

  /** The turnstile has decided, and has done it. */
  default void decided(TurnstileCell cell, TurnstileEvent event, TurnstileDecision decision) {}
}
