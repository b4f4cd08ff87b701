package io.poolkeeper.turnstile;

/** What a look at a pool showed whose last write has an unknown end. */
public enum LookResult {
  /** Nothing writes to it any more, or it is gone. */
  SETTLED,
  /** A write to it is still in flight. */
  UPDATING,
  /** Nothing: the read failed. */
  UNKNOWN
}
