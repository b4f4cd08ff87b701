package io.poolkeeper.admission;

/** The result of a write of a binding. */
public sealed interface WriteAnswer {
  record Done(BindingView now) implements WriteAnswer {}

  /** The binding has changed since it was read, or was deleted. Nothing was written. */
  record Conflict() implements WriteAnswer {}

  /** It is unknown whether the binding was written. */
  record Failed(String error) implements WriteAnswer {}
}
