package io.poolkeeper.pool;

/** The outcome of an attempt that is reported in an event, and counted. */
public enum Outcome {
  UPDATED,
  FAILED
}
