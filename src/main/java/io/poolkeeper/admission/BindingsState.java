package io.poolkeeper.admission;

import io.poolkeeper.admission.BindingsEvent.Listed;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.Bindings;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * All bindings, and how far the world follows them. All that outlives the process is in the
 * bindings themselves.
 *
 * @param outcomes which of them are followed
 * @param byPool those that are, by the pool that they name
 * @param ties what each of them that is followed asks of its pool
 * @param listed what the last listing has shown of their pools
 * @param shown those pools as their actors know them
 * @param progress of the writes of each
 * @param wakes when each must be looked at again
 * @param sent what the map of Services was sent last
 * @param since the version of it that changed anything about a pool last
 * @param watched whether all bindings are known
 * @param leadsSince empty while this replica is on standby
 */
public record BindingsState(
    HashPMap<BindingKey, BindingView> bindings,
    SortedMap<BindingKey, Outcome> outcomes,
    Map<PoolId, Set<BindingKey>> byPool,
    HashPMap<BindingKey, Tie> ties,
    Listed listed,
    HashPMap<PoolId, PoolStatus> shown,
    HashPMap<BindingKey, Progress> progress,
    HashPMap<BindingKey, Instant> wakes,
    Bindings sent,
    HashPMap<PoolId, Long> since,
    boolean watched,
    Optional<Instant> leadsSince,
    boolean stopped) {
  public BindingsState {
    outcomes = Collections.unmodifiableSortedMap(outcomes);
    byPool = Collections.unmodifiableMap(byPool);
  }

  /**
   * Nothing is known yet.
   *
   * @param leads whether this replica does, without an election
   */
  public static BindingsState initial(boolean leads, Instant now) {
    return new BindingsState(
        HashTreePMap.empty(),
        new TreeMap<>(),
        Map.of(),
        HashTreePMap.empty(),
        Listed.NOTHING,
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        Bindings.NONE,
        HashTreePMap.empty(),
        false,
        leads ? Optional.of(now) : Optional.empty(),
        false);
  }

  /** When the timer must fire, if at all. */
  Optional<Instant> wakeAt() {
    return stopped ? Optional.empty() : wakes.values().stream().min(Instant::compareTo);
  }
}
