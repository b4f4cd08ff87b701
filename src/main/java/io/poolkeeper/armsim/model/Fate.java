package io.poolkeeper.armsim.model;

/**
 * The fate of an accepted write. The answer to it is the same in each case, as with failures at
 * Azure.
 */
public enum Fate {
  APPLIED,
  /** Done as asked, and even a creation has a running operation. */
  FOLLOWED,
  /** Its operation will fail. A PUT is written nevertheless; a DELETE removes nothing. */
  DOOMED,
  /**
   * Its operation succeeds, but nothing is changed. State and etag of an existing document change
   * as for any write; a new resource never exists.
   */
  LOST;

  /** Whether a DELETE removes its resource. */
  boolean deletes() {
    return switch (this) {
      case APPLIED, FOLLOWED -> true;
      case DOOMED, LOST -> false;
    };
  }
}
