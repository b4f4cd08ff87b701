package io.poolkeeper.admission;

import io.poolkeeper.service.Bindings;

/** What the bindings' core asks its actor to do. Each write carries the version of the view. */
public sealed interface BindingsEffect {
  /** Send the map of Services what is bound now. */
  record Bind(Bindings bindings) implements BindingsEffect {}

  /** This replica leads: the map of Services hears it after what is bound. */
  record Lead() implements BindingsEffect {}

  /** One write of a binding; one at a time. */
  sealed interface Write extends BindingsEffect {
    BindingView binding();

    /** Whether all checks are asked again by it. */
    default boolean reset() {
      return false;
    }
  }

  /**
   * Its status.
   *
   * @param reset whether all checks are asked again by it
   */
  record WriteStatus(BindingView binding, BindingReport report, boolean reset) implements Write {}

  /** It must wait for us when it is deleted. */
  record AddFinalizer(BindingView binding) implements Write {}

  /** It need not wait any more. */
  record RemoveFinalizer(BindingView binding) implements Write {}
}
