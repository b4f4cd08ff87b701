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
    BindingKey key();

    /** The version that it was decided from; empty if there is no such binding. */
    String version();

    /** Whether all checks are asked again by it. */
    default boolean reset() {
      return false;
    }
  }

  /** The binding that shows a pool of the cloud provider. */
  record Create(Mirror mirror) implements Write {
    @Override
    public BindingKey key() {
      return mirror.key();
    }

    @Override
    public String version() {
      return "";
    }
  }

  /** One of a binding that is there. */
  sealed interface Change extends Write {
    BindingView binding();

    @Override
    default BindingKey key() {
      return binding().key();
    }

    @Override
    default String version() {
      return binding().version();
    }
  }

  /** It shows no pool any more. */
  record Delete(BindingView binding) implements Change {}

  /**
   * Its status.
   *
   * @param reset whether all checks are asked again by it
   */
  record WriteStatus(BindingView binding, BindingReport report, boolean reset) implements Change {}

  /** It must wait for us when it is deleted. */
  record AddFinalizer(BindingView binding) implements Change {}

  /** It need not wait any more. */
  record RemoveFinalizer(BindingView binding) implements Change {}
}
