package io.poolkeeper.admission;

import java.util.concurrent.CompletionStage;

/** The port through which bindings are written. */
public interface BindingWrites {
  /**
   * Writes the version of the binding that the view is of, or nothing. The future never fails, and
   * none stays open for ever.
   */
  CompletionStage<WriteAnswer> write(BindingsEffect.Write write);
}
