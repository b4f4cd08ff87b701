package io.poolkeeper.simulation;

import io.poolkeeper.core.Core;
import java.time.Instant;
import java.util.Optional;

/** A core with a fault around it, in one actor. */
abstract class Faulty<S, E, F> implements Core<S, E, F> {
  final Core<S, E, F> own;

  Faulty(Core<S, E, F> own) {
    this.own = own;
  }

  @Override
  public Optional<Instant> wakeAt(S state) {
    return own.wakeAt(state);
  }
}
