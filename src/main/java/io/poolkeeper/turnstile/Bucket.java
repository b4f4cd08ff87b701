package io.poolkeeper.turnstile;

/** What tokens are for. */
public enum Bucket {
  /** Writes of everybody. */
  WRITES,
  /** Writes of drains, when the others are spent. */
  DRAIN_RESERVE,
  /** Reads of everybody. */
  READS
}
