package io.poolkeeper.simulation;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A core that hears some events later: with the first event that finds them held no more. */
class Delayed<S, E, F> extends Faulty<S, E, F> {
  /** Which events are held. */
  interface Holds<S, E, F> {
    /**
     * Whether the event is held for now.
     *
     * @param would what the core would decide
     */
    boolean test(S state, E event, Decision<S, F> would);
  }

  private final Holds<S, E, F> holds;
  private final List<E> held = new ArrayList<>();

  Delayed(Core<S, E, F> own, Holds<S, E, F> holds) {
    super(own);
    this.holds = holds;
  }

  boolean holdsAny() {
    return !held.isEmpty();
  }

  @Override
  public Decision<S, F> decide(S state, E event, Instant now, RandomGenerator random) {
    List<E> all = new ArrayList<>(held);
    if (!all.contains(event)) {
      all.add(event);
    }
    held.clear();
    Decision<S, F> decision = Decision.of(state);
    for (E one : all) {
      Decision<S, F> would = own.decide(decision.state(), one, now, random);
      if (holds.test(decision.state(), one, would)) {
        held.add(one);
      } else {
        decision = decision.then(would);
      }
    }
    return decision;
  }
}
