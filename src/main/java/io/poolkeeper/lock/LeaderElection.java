package io.poolkeeper.lock;

import java.time.Instant;
import java.util.function.Consumer;

/** The election of the replica that acts. */
public interface LeaderElection {
  /**
   * Stands for election, until the process ends. Neither argument may block; they are called on
   * threads of the election.
   *
   * @param renewed hears of each renewal of the Lease that the API server took, the first included:
   *     when it was sent, monotonic
   * @param ended hears why this process cannot lead any more
   */
  void start(Consumer<Instant> renewed, Consumer<String> ended);
}
