package io.poolkeeper.judge;

import io.poolkeeper.model.PoolId;

/** What may be wrong in a pool: each entry in each way has a clock of its own. */
public record Subject(PoolId pool, String address, How how) {
  /** In which way. */
  public enum How {
    MISSING("is missing"),
    SURPLUS("ought not to be there"),
    NOT_DOWN("is not Down"),
    STILL_DOWN("is still Down");

    private final String text;

    How(String text) {
      this.text = text;
    }

    boolean members() {
      return this == MISSING || this == SURPLUS;
    }
  }

  @Override
  public String toString() {
    return "%s: %s %s".formatted(pool, address, how.text);
  }
}
