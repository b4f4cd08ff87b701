package io.poolkeeper.admission;

/** What became of a write of a binding. */
public sealed interface WriteAnswer {
  record Done(BindingView now) implements WriteAnswer {}

  /** It has changed since the version that was read, or is gone. Nothing was written. */
  record Conflict() implements WriteAnswer {}

  /** Whether it was written is not known. */
  record Failed(String error) implements WriteAnswer {}
}
