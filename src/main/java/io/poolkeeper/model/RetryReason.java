package io.poolkeeper.model;

/** Why an attempt is made again: a small closed set, the label of a metric. */
public enum RetryReason {
  /** A 429, or a gate that an earlier one closed. */
  THROTTLED,
  /** Somebody else was writing: 409. */
  CONFLICT,
  /** Somebody else had written: 412. */
  PRECONDITION,
  /** No answer. */
  TRANSPORT,
  /** A write was accepted, and how it ended is not known. */
  UNRESOLVED,
  /** A write was accepted, and its operation was cancelled or superseded. */
  CANCELLED,
  /** A write was accepted, and its operation failed. */
  OPERATION,
  /** Anything else: it was not expected to help, and the pool repairs itself all the same. */
  TERMINAL,
  /** Nothing failed: a listing showed that the pool is not as it should be. */
  DRIFT
}
