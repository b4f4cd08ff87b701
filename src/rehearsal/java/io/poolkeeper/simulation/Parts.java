package io.poolkeeper.simulation;

import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.core.Core;

/**
 * The parts of a process that something may be put around: nothing is, but by tests that put faults
 * into the program.
 */
interface Parts {
  /** The program as it is. */
  Parts PLAIN = new Parts() {};

  /** A core, once for each actor or watch that it decides for. */
  default <S, E, F> Core<S, E, F> core(Core<S, E, F> own) {
    return own;
  }

  /** The network below the adapter to ARM, once for each process. */
  default Wire wire(Wire own) {
    return own;
  }
}
