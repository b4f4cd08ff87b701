package io.poolkeeper.turnstile;

/** Why a pool wants a turn, the most urgent first (architecture, section 5). */
public enum Lane {
  /** A node is leaving: first attempt. */
  DRAIN,
  /** A Service's endpoints changed: first attempt. */
  UPDATE,
  /** A node is leaving, and an attempt failed. */
  DRAIN_RETRY,
  /** A change whose last attempt failed. */
  RETRY,
  /** No change: the pool differs from its desired members. */
  REPAIR;

  /** Whether a turn for it costs a retry of the budget. */
  boolean costsBudget() {
    return this == RETRY || this == REPAIR;
  }

  /** Whether it may spend the tokens that are kept for drains. */
  boolean drains() {
    return this == DRAIN || this == DRAIN_RETRY;
  }
}
