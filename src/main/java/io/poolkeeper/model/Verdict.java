package io.poolkeeper.model;

/** The handling of a failed attempt (spec 1, Error Classification). */
public enum Verdict {
  /** The pool does not exist: drop silently. */
  STALE,
  /** Retry from a fresh read, up to the maximum of retries. */
  RETRIABLE,
  /** A retry would not help soon: report a failure. */
  TERMINAL,
  /** This program stops: no retry and no event. */
  SHUTDOWN
}
