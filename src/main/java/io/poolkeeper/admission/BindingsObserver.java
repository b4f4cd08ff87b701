package io.poolkeeper.admission;

/** The port through which status and metrics hear of bindings. Never blocks, never fails. */
public interface BindingsObserver {
  void changed(BindingsState state);

  /** The delays of a binding's checks are over, and all are asked again. */
  void reset();
}
