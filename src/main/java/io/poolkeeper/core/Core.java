package io.poolkeeper.core;

import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The policy of one concept (architecture, The picture). A core is a pure function: it knows no
 * actor, no client, no clock and no log.
 *
 * @param <S> the state, immutable
 * @param <E> the events
 * @param <F> the effects
 */
public interface Core<S, E, F> {
  /**
   * What follows from the event.
   *
   * @param now monotonic
   * @param random all that is left to chance
   */
  Decision<S, F> decide(S state, E event, Instant now, RandomGenerator random);

  /**
   * When time alone may change something, monotonic; empty if never. The event may come earlier and
   * then changes nothing.
   */
  Optional<Instant> wakeAt(S state);
}
