package io.poolkeeper.admission;

import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.BoundPool;
import java.util.Optional;

/** What the bindings' core asks its actor to do. */
public sealed interface BindingsEffect {
  record ReadMark() implements BindingsEffect {}

  /** Send {@code ServiceMapActor} what the binding of a pool wants; empty if it has none. */
  record Bind(PoolId pool, Optional<BoundPool> bound) implements BindingsEffect {}

  /** Log which pool a binding was given, or why it has none. */
  record Resolved(BindingKey binding, Outcome outcome) implements BindingsEffect {}

  record Emit(ObjectEvent event) implements BindingsEffect {}

  /** A write of a binding; at most one of each is in flight. */
  sealed interface Write extends BindingsEffect {
    BindingView binding();

    default BindingKey key() {
      return binding().key();
    }

    /** The version from which the write was decided. */
    default String version() {
      return binding().version();
    }

    /** Whether the write asks all checks again. */
    default boolean reset() {
      return false;
    }
  }

  /** Write the status; {@code reset} if it asks all checks again. */
  record WriteStatus(BindingView binding, BindingReport report, boolean reset) implements Write {}

  /** Add our finalizer, so that a deletion waits for the cleanup. */
  record AddFinalizer(BindingView binding) implements Write {}

  record RemoveFinalizer(BindingView binding) implements Write {}
}
