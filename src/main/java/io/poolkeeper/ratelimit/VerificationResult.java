package io.poolkeeper.ratelimit;

/** What a verification of a pool showed whose last write has an unknown end. */
public enum VerificationResult {
  /** Nothing writes to the pool any more, or the pool is gone. */
  SETTLED,
  /** A write to the pool is still in flight. */
  UPDATING,
  /** The read failed. */
  UNKNOWN
}
