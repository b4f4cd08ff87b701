package io.poolkeeper.admission;

/** Whose the entries of a binding's pool are. */
public enum Ownership {
  /** The pool holds the addresses of this binding alone. */
  EXCLUSIVE,
  /** Addresses that it did not add stay. */
  SHARED,
  /** The cloud provider made the pool; the binding shows it, and its checks hold it. */
  MIRRORED
}
