package io.poolkeeper.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The next state of a pool and what its actor is to do, in order. */
public record PoolDecision(PoolState state, List<PoolEffect> effects) {
  public PoolDecision {
    effects = List.copyOf(effects);
  }

  static PoolDecision of(PoolState state, PoolEffect... effects) {
    return new PoolDecision(state, List.of(effects));
  }

  /** This decision with another state. */
  PoolDecision map(UnaryOperator<PoolState> change) {
    return new PoolDecision(change.apply(state), effects);
  }

  /** This decision and then the next step's, from this one's state. */
  PoolDecision then(PoolDecision next) {
    List<PoolEffect> all = new ArrayList<>(effects);
    all.addAll(next.effects);
    return new PoolDecision(next.state, all);
  }
}
