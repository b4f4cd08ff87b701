package io.poolkeeper.lock;

import java.time.Duration;

/** The port through which metrics hear of the shared lock. Never blocks, never fails. */
public interface LockObserver {
  /**
   * A session began.
   *
   * @param waited how long a turn has waited for nothing else
   * @param drain whether it was a drain's
   */
  void taken(Duration waited, boolean drain);
}
