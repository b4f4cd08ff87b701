package io.poolkeeper.model;

/** The reason of a retry: a small closed set, the label of a metric. */
public enum RetryReason {
  /** A 429, or a gate that an earlier one closed. */
  THROTTLED,
  /** Another write was in flight: 409. */
  CONFLICT,
  /** Another client had written: 412. */
  PRECONDITION,
  /** No connection, or no answer. */
  TRANSPORT,
  /** A write was accepted, and its end is unknown. */
  UNRESOLVED,
  /** A write was accepted, and its operation was cancelled or superseded. */
  CANCELLED,
  /** A write was accepted, and its operation failed. */
  OPERATION,
  /** Any other failure: a retry was not expected to help, and the pool repairs itself later. */
  TERMINAL,
  /** Nothing failed: a listing showed that the pool differs from its desired members. */
  DRIFT
}
