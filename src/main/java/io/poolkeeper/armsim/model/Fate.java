package io.poolkeeper.armsim.model;

/**
 * What really becomes of a write that is accepted. The answer to it is the same in each case;
 * Azure's own failures look like this from outside.
 */
public enum Fate {
  /** Done as asked. */
  APPLIED,
  /** Done as asked, and even a creation is seen as an operation that runs. */
  FOLLOWED,
  /**
   * Its operation will not end well. A PUT is written nevertheless; a DELETE takes nothing away.
   */
  DOOMED,
  /**
   * Its operation ends well, yet the contents stay as they were. State and etag of an existing
   * document move as for any write; what was to be created never is there.
   */
  LOST;

  /** Whether the resource that a DELETE names goes away. */
  boolean deletes() {
    return switch (this) {
      case APPLIED, FOLLOWED -> true;
      case DOOMED, LOST -> false;
    };
  }
}
