package io.poolkeeper.actor;

import io.poolkeeper.core.Core;
import org.apache.pekko.actor.setup.Setup;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * A wrapper around the cores of all actors of a system. The controller's system has none: there
 * each actor decides with its own core. The simulator's has one, which adds a fault to a core
 * without a change of the program (docs/simulation.md, "Does it find faults?").
 *
 * <p>Invariant: the core of each actor passes here once, when the actor begins.
 */
public final class Cores extends Setup {
  /** What decides instead of a core. */
  @FunctionalInterface
  public interface Around {
    /** Called once for each actor; what it gives may keep things that belong to that actor. */
    <S, E, F> Core<S, E, F> of(Core<S, E, F> own);
  }

  private final Around around;

  public Cores(Around around) {
    this.around = around;
  }

  /** The core that decides in an actor of the system. */
  static <S, E, F> Core<S, E, F> of(Core<S, E, F> own, ActorSystem<?> system) {
    return system
        .settings()
        .setup()
        .get(Cores.class)
        .map(cores -> cores.around.of(own))
        .orElse(own);
  }
}
