package io.poolkeeper.admission;

import io.poolkeeper.model.Mark;
import java.util.concurrent.CompletionStage;

/** The port through which bindings are written. No future stays open for ever. */
public interface BindingWrites {
  /** Writes this version of the binding, or nothing. The future never fails. */
  CompletionStage<WriteAnswer> write(BindingsEffect.Write write);

  /** Reads the mark of the cluster's entries. The future fails if it cannot be read. */
  CompletionStage<Mark> mark();
}
