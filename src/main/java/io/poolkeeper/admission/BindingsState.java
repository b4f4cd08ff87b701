package io.poolkeeper.admission;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.service.Bindings;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * All bindings, and how far the world follows them. All that outlives the process is in the
 * bindings themselves.
 *
 * @param ties what each of them that has a say asks of its pool
 * @param progress of the writes of each
 * @param wakes when each must be looked at again
 * @param sent what the map of Services was sent last
 * @param since the version of it that changed anything about a pool last
 */
public record BindingsState(
    Observed observed,
    HashPMap<BindingKey, Tie> ties,
    HashPMap<BindingKey, Progress> progress,
    HashPMap<BindingKey, Instant> wakes,
    Bindings sent,
    HashPMap<PoolId, Long> since,
    boolean stopped) {
  /**
   * Nothing is known yet.
   *
   * @param leads whether this replica does, without an election
   */
  public static BindingsState initial(boolean leads, Instant now) {
    return new BindingsState(
        Observed.nothing(leads ? Optional.of(now) : Optional.empty()),
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        Bindings.NONE,
        HashTreePMap.empty(),
        false);
  }

  /** When the timer must fire, if at all. */
  Optional<Instant> wakeAt() {
    return stopped ? Optional.empty() : wakes.values().stream().min(Instant::compareTo);
  }
}
