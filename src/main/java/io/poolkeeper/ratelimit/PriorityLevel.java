package io.poolkeeper.ratelimit;

import java.util.List;

/** Why a pool wants a permit, the most urgent first (architecture, The rate limiter). */
public enum PriorityLevel {
  /** A node is leaving: first attempt. */
  DRAIN,
  /** A Service's endpoints changed: first attempt. */
  UPDATE,
  /** A node is leaving, and an attempt failed. */
  DRAIN_RETRY,
  /** A change whose last attempt failed. */
  RETRY,
  /** A change that goes sooner than an interval after the pool's last write. */
  EARLY,
  /** No change: the pool differs from its desired members. */
  REPAIR;

  /** The most urgent first. */
  static final List<PriorityLevel> ORDER = List.of(values());

  /** While the reserve is empty, a retried drain takes common tokens before updates, too. */
  static final List<PriorityLevel> ON_COMMON =
      List.of(DRAIN, DRAIN_RETRY, UPDATE, RETRY, EARLY, REPAIR);

  /** Whether a permit for it costs a retry of the budget. */
  boolean costsBudget() {
    return this == RETRY || this == REPAIR;
  }

  /**
   * Whether a priority level that was passed over often enough goes first. An early change does
   * not: it becomes an update when the interval is over.
   */
  boolean ages() {
    return this != EARLY;
  }

  /** Whether it may spend the tokens that are kept for drains. */
  public boolean drains() {
    return this == DRAIN || this == DRAIN_RETRY;
  }
}
