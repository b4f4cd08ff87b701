package io.poolkeeper.admission;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.BoundPool;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * All bindings, their levels and their writes. Everything that outlives the process is in the
 * bindings themselves, and in the names of entries.
 *
 * @param bound for each pool, what was sent last to {@code ServiceMapActor}
 * @param progress of the writes of each binding
 * @param wakes when each binding must be looked at again
 */
public record BindingsState(
    Observed observed,
    HashPMap<PoolId, BoundPool> bound,
    HashPMap<BindingKey, BindingProgress> progress,
    HashPMap<BindingKey, Instant> wakes,
    boolean stopped) {
  /**
   * The state in which nothing is known.
   *
   * @param leads whether this process leads from the start, as there is no election
   */
  public static BindingsState initial(boolean leads, Instant now) {
    Observed nothing = Observed.nothing(leads ? Optional.of(now) : Optional.empty(), now);
    return new BindingsState(
        nothing, HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty(), false);
  }

  BindingsState stop() {
    return new BindingsState(observed, bound, progress, wakes, true);
  }

  Optional<Instant> wakeAt() {
    return stopped
        ? Optional.empty()
        : Stream.concat(wakes.values().stream(), observed.mark().readAt().stream())
            .min(Instant::compareTo);
  }
}
