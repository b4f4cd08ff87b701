package io.poolkeeper.arm;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Names the machines of network interfaces. Futures fail with {@link ArmException} only; none stays
 * open for ever, and cancelling one ends its call.
 */
public interface NetworkInterfaces {
  /**
   * The machine whose interface has an IP configuration. No call is made if the id says so itself;
   * else the interface is read.
   *
   * @param ipConfigurationId of an entry of a pool
   * @param deadline monotonic; then the call is given up
   * @return the ARM id of the machine, folded; empty if there is no such interface, or no machine
   *     that has it
   */
  CompletionStage<Optional<String>> machineOf(String ipConfigurationId, Instant deadline);
}
