package io.poolkeeper.lock;

import java.time.Instant;
import java.util.function.Consumer;

/** The port to the election of the replica that leads. */
public interface LeaderElection {
  /**
   * Stands for election until the process ends. Neither argument may block; both are called on
   * threads of the election.
   *
   * @param renewed receives when each renewal was sent that the API server accepted, the first
   *     included; monotonic
   * @param ended receives why this process cannot lead any more
   */
  void start(Consumer<Instant> renewed, Consumer<String> ended);
}
