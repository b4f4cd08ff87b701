package io.poolkeeper.pool;

/** What a pool reports to its owner. */
public enum PoolReport {
  /** An attempt failed: the pool may differ from what is desired. */
  FAILING,
  /** The pool is known to be as desired again: ARM may take what it refused elsewhere, too. */
  RECOVERED,
  /** The pool does not fail any more, as it is unowned or not there: no sign about others. */
  DROPPED,
  /** The pool is not as the last listing showed it. */
  LISTING_WANTED,
  /**
   * The pool was written, or a change needed no write. Looks should follow, as another writer may
   * still act on the same change.
   */
  VERIFICATION_WANTED,
  /** Admin states were written: a listing is to show whether they are there. */
  READ_BACK_WANTED
}
