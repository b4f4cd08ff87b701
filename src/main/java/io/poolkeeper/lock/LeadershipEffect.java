package io.poolkeeper.lock;

/** What the leadership asks its actor to do. */
public sealed interface LeadershipEffect {
  /** Begin to act; at most once. */
  record Lead() implements LeadershipEffect {}

  /** End the process; at most once. */
  record Resign(String why) implements LeadershipEffect {}
}
