package io.poolkeeper.turnstile;

import io.poolkeeper.model.Gate;
import java.time.Duration;

/** The port through which status and metrics hear of the turnstile. Never blocks, never fails. */
public interface TurnstileObserver {
  void changed(TurnstileView view);

  /**
   * A turn was granted.
   *
   * @param waited since it was asked for
   * @param limited the part of it in which the load balancer was free and only the subscription's
   *     limits were missing
   */
  void granted(Lane lane, Duration waited, Duration limited);

  /** The turnstile has looked at a pool whose last write has an unknown end. */
  void looked(LookResult result);

  /** A request waits for the retry budget, for the first time since the budget allowed one. */
  void retryHeldBack();

  /** A gate is closed that was open. */
  default void closed(Gate gate) {}

  /** A drain was granted a turn without the shared Lease. */
  void leaseBypassed();
}
