package io.poolkeeper.arm.azure;

import io.poolkeeper.model.Names;
import java.util.Optional;

/** Reads of a network interface in ARM's JSON what a pool's entry does not say: its machine. */
final class InterfaceJson {
  private static final int NOT_FOUND = 404;

  private InterfaceJson() {}

  /** The ARM id of the machine, folded; empty if there is no interface or none that has it. */
  static Optional<String> machine(Answer answer) {
    if (answer.status() == NOT_FOUND) {
      return Optional.empty();
    }
    return PoolJson.properties(Json.of(answer.expect(200, 200)))
        .object("virtualMachine")
        .map(machine -> machine.requiredText("id"))
        .map(Names::fold);
  }
}
