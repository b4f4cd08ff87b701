package io.poolkeeper.simulation;

import io.poolkeeper.core.Decision;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolState;
import io.poolkeeper.service.ServiceMapEffect;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.service.ServiceMapState;
import io.poolkeeper.turnstile.TurnstileEffect;
import io.poolkeeper.turnstile.TurnstileEvent;
import io.poolkeeper.turnstile.TurnstileState;

/**
 * Hears of the decisions of every cell, so that they can be repeated elsewhere; and forgets those
 * that it is not interested in.
 */
interface Witness {
  /** Forgets all. */
  Witness NONE = new Witness() {};

  /** A pool has decided, and has done nothing of it yet. */
  default void decided(PoolCell cell, PoolEvent event, Decision<PoolState, PoolEffect> decision) {}

  /** The map has decided, and has done it. */
  default void decided(
      MapCell cell, ServiceMapEvent event, Decision<ServiceMapState, ServiceMapEffect> decision) {}

  /** The turnstile has decided, and has done it. */
  default void decided(
      TurnstileCell cell,
      TurnstileEvent event,
      Decision<TurnstileState, TurnstileEffect> decision) {}
}
