package io.poolkeeper.model;

/** What to do about a failed attempt (spec 1, Error Classification). */
public enum Verdict {
  /** The pool is not there: drop quietly. */
  STALE,
  /** Try again from a fresh read while the budget lasts. */
  RETRIABLE,
  /** Trying the same again soon is no use: tell people. */
  TERMINAL,
  /** This program ends: neither a retry nor a word. */
  SHUTDOWN
}
