package io.poolkeeper.lock;

import java.time.Instant;

/** What can happen to the leadership. */
public sealed interface LeadershipEvent {
  /**
   * The API server has taken a renewal of our Lease, the first one included.
   *
   * @param sentAt when it was sent, not when it was answered; monotonic
   */
  record Renewed(Instant sentAt) implements LeadershipEvent {}

  /** The election is over for this process. */
  record Ended(String why) implements LeadershipEvent {}

  record TimerDue() implements LeadershipEvent {}
}
