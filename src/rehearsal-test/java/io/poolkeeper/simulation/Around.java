package io.poolkeeper.simulation;

import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Faults that are put around a part of the program. They change what a core hears, what it asks
 * for, and when; never what it knows: so they say nothing of how it is made, and outlive its
 * changes.
 */
final class Around {
  private Around() {}

  /** A core of this class decides with something around it, made anew for each actor. */
  static <S, E, F> Parts core(
      Class<? extends Core<S, E, F>> type, UnaryOperator<Core<S, E, F>> around) {
    return new Parts() {
      @Override
      @SuppressWarnings("unchecked") // the class says of what events and effects the core is
      public <S2, E2, F2> Core<S2, E2, F2> core(Core<S2, E2, F2> own) {
        return type.isInstance(own) ? (Core<S2, E2, F2>) around.apply((Core<S, E, F>) own) : own;
      }
    };
  }

  /** Events of a class are heard otherwise. */
  static <S, E, F, T extends E> Parts event(
      Class<? extends Core<S, E, F>> type, Class<T> event, Function<T, E> change) {
    return events(
        type,
        (state, one) -> Optional.of(event.isInstance(one) ? change.apply(event.cast(one)) : one));
  }

  /** Events are not heard, by what the core knows and what they are. */
  static <S, E, F> Parts without(Class<? extends Core<S, E, F>> type, BiPredicate<S, E> dropped) {
    return events(
        type, (state, event) -> Optional.of(event).filter(one -> !dropped.test(state, one)));
  }

  private static <S, E, F> Parts events(
      Class<? extends Core<S, E, F>> type, BiFunction<S, E, Optional<E>> change) {
    return core(
        type,
        own ->
            new Faulty<>(own) {
              @Override
              public Decision<S, F> decide(S state, E event, Instant now, RandomGenerator random) {
                return change
                    .apply(state, event)
                    .map(heard -> own.decide(state, heard, now, random))
                    .orElse(Decision.of(state));
              }
            });
  }

  /** Effects of a class are run otherwise. */
  static <S, E, F, T extends F> Parts effect(
      Class<? extends Core<S, E, F>> type, Class<T> effect, Function<T, F> change) {
    return effects(
        type,
        (event, one) -> Optional.of(effect.isInstance(one) ? change.apply(effect.cast(one)) : one));
  }

  /** What becomes of an effect that an event has. */
  interface OfEffect<E, F> {
    /** Empty if it is not run. */
    Optional<F> run(E event, F effect);
  }

  static <S, E, F> Parts effects(Class<? extends Core<S, E, F>> type, OfEffect<E, F> change) {
    return core(
        type,
        own ->
            new Faulty<>(own) {
              @Override
              public Decision<S, F> decide(S state, E event, Instant now, RandomGenerator random) {
                Decision<S, F> decision = own.decide(state, event, now, random);
                List<F> run =
                    decision.effects().stream()
                        .flatMap(effect -> change.run(event, effect).stream())
                        .toList();
                return new Decision<>(decision.state(), run);
              }
            });
  }

  /** The way to ARM has something around it, made anew for each process. */
  static Parts wire(UnaryOperator<Wire> around) {
    return new Parts() {
      @Override
      public Wire wire(Wire own) {
        return around.apply(own);
      }
    };
  }
}
