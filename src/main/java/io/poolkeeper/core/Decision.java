package io.poolkeeper.core;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The next state and the effects that the actor runs, in order. */
public record Decision<S, F>(S state, List<F> effects) {
  public Decision {
    effects = List.copyOf(effects);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <S, F> Decision<S, F> of(S state, F... effects) {
    return new Decision<>(state, List.of(effects));
  }

  /** This decision with its state changed. */
  public Decision<S, F> map(UnaryOperator<S> change) {
    return new Decision<>(change.apply(state), effects);
  }

  /** This decision with one more effect, which is run last. */
  public Decision<S, F> and(F effect) {
    return then(of(state, effect));
  }

  /** This decision and then the next one, which began with this one's state. */
  public Decision<S, F> then(Decision<S, F> next) {
    return new Decision<>(
        next.state, Stream.concat(effects.stream(), next.effects.stream()).toList());
  }
}
