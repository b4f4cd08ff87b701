package io.poolkeeper.turnstile;

/** The port through which status and metrics hear of the turnstile. Never blocks, never fails. */
public interface TurnstileObserver {
  void changed(TurnstileView view);

  /** The actor runs an effect now. */
  void ran(TurnstileEffect effect);

  /** The turnstile has looked at a pool whose last write has an unknown end. */
  void looked(LookResult result);
}
