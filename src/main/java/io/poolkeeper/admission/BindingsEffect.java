package io.poolkeeper.admission;

import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.BoundPool;
import java.util.Optional;

/** What the bindings' core asks its actor to do. Each write carries the version of the view. */
public sealed interface BindingsEffect {
  record ReadMark() implements BindingsEffect {}

  /** Send the map of Services what a binding makes of a pool now; empty if nothing. */
  record Bind(PoolId pool, Optional<BoundPool> bound) implements BindingsEffect {}

  record Resolved(BindingKey binding, Outcome outcome) implements BindingsEffect {}

  record Emit(ObjectEvent event) implements BindingsEffect {}

  /** One write of a binding; one at a time. */
  sealed interface Write extends BindingsEffect {
    BindingView binding();

    default BindingKey key() {
      return binding().key();
    }

    /** The version that it was decided from. */
    default String version() {
      return binding().version();
    }

    /** Whether all checks are asked again by it. */
    default boolean reset() {
      return false;
    }
  }

  /** Its status; {@code reset} if all checks are asked again by it. */
  record WriteStatus(BindingView binding, BindingReport report, boolean reset) implements Write {}

  /** It must wait for us when it is deleted. */
  record AddFinalizer(BindingView binding) implements Write {}

  record RemoveFinalizer(BindingView binding) implements Write {}
}
