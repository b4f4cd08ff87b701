package io.poolkeeper.ratelimit;

/** The token buckets. */
public enum Bucket {
  /** All writes. */
  WRITES,
  /** Writes of drains, when the write bucket is empty. */
  DRAIN_RESERVE,
  /** Writes that go sooner than an interval after the one before. */
  EARLY,
  /** All reads. */
  READS
}
