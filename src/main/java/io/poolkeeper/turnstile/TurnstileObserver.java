package io.poolkeeper.turnstile;

import io.poolkeeper.model.PoolId;

/** The port through which status and metrics hear of the turnstile. Never blocks, never fails. */
public interface TurnstileObserver {
  void changed(TurnstileView view);

  /** The actor runs an effect now. */
  void ran(TurnstileEffect effect);

  /** A pool has asked for a turn, and may have it by now. */
  default void requested(PoolId pool, TurnstileView view) {}

  /** The turnstile has verified a pool whose last write has an unknown end. */
  void verified(VerificationResult result);
}
