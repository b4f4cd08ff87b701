package io.poolkeeper.lock;

import java.time.Duration;

/** The port through which metrics hear of the shared lock. Never blocks, never fails. */
public interface LockObserver {
  /**
   * A session began.
   *
   * @param waited how long a turn has waited for the Lease alone
   * @param drain whether that turn was a drain's
   */
  void taken(Duration waited, boolean drain);
}
