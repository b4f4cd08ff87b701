package io.poolkeeper.pool;

/** How an attempt ended that somebody is told about: exactly these are counted. */
public enum Outcome {
  UPDATED,
  FAILED
}
