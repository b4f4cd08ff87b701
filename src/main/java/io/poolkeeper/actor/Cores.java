package io.poolkeeper.actor;

import io.poolkeeper.core.Core;
import org.apache.pekko.actor.setup.Setup;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Wraps the cores of all actors of a system. The controller's system has no such wrapper: there
 * each actor decides with its own core. The simulator's has one, which adds a fault to a core
 * without a change of the program (docs/simulation.md, "Does it find faults?").
 *
 * <p>Invariant: the core of each actor passes here once, when the actor begins.
 */
public final class Cores extends Setup {
  /** Makes the core that decides in the place of an actor's own. */
  @FunctionalInterface
  public interface Wrapper {
    /** Called once for each actor, so that the new core may keep a state of that actor. */
    <S, E, F> Core<S, E, F> wrap(Core<S, E, F> own);
  }

  private final Wrapper wrapper;

  public Cores(Wrapper wrapper) {
    this.wrapper = wrapper;
  }

  /** The core that decides in an actor of the system. */
  static <S, E, F> Core<S, E, F> wrapped(Core<S, E, F> own, ActorSystem<?> system) {
    return system
        .settings()
        .setup()
        .get(Cores.class)
        .map(cores -> cores.wrapper.wrap(own))
        .orElse(own);
  }
}
