package io.poolkeeper.simulation;

import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The last attempt of one process at each pool. */
final class Attempts {
  private final SimWorld sim;
  private final Map<PoolId, Attempt> last = new TreeMap<>();

  /** Pools whose last call was answered 404. */
  private final Set<PoolId> gone = new HashSet<>();

  /** When the actor of a pool failed last. */
  private final Map<PoolId, Instant> failed = new HashMap<>();

  Attempts(SimWorld sim) {
    this.sim = sim;
  }

  Optional<Attempt> at(PoolId pool) {
    return Optional.ofNullable(last.get(pool));
  }

  List<Attempt> at(List<String> poolNames) {
    return last.values().stream().filter(a -> poolNames.contains(a.pool.name())).toList();
  }

  Collection<Attempt> all() {
    return Collections.unmodifiableCollection(last.values());
  }

  /** A GET begins an attempt, unless it repeats one inside the call. */
  Attempt begin(PoolId pool) {
    Optional<Attempt> repeated =
        at(pool).filter(one -> one.last != null && !one.last.write() && one.last.mayBeRepeated());
    Attempt attempt =
        new Attempt(pool, repeated.map(one -> one.from).orElse(sim.time.now()), sim.time.now());
    last.put(pool, attempt);
    return attempt;
  }

  /** The attempt whose accepted write began an operation. */
  Optional<Attempt> following(String operation) {
    return last.values().stream().filter(one -> one.operation.equals(operation)).findFirst();
  }

  /** A call about a pool is answered. */
  void answered(PoolId pool, int status) {
    if (status == 404) {
      gone.add(pool);
    } else if (status == 200) {
      gone.remove(pool);
    }
  }

  /** Whether ARM has said that there is no such pool, and has not shown it since. */
  boolean gone(PoolId pool) {
    return gone.contains(pool);
  }

  /** A pool's actor has failed; nobody waits for its calls any more. */
  void actorFailed(PoolId pool) {
    failed.put(pool, sim.time.now());
    at(pool).ifPresent(attempt -> attempt.abandoned = true);
  }

  /**
   * Whether a pool may be without an actor, so that what is shown of it is that of the last one.
   */
  boolean mayHaveNoActor(PoolId pool) {
    Duration longest = VirtualTime.LONGEST_RESPAWN.plus(sim.options.slack());
    return failed.getOrDefault(pool, Instant.MIN).isAfter(sim.time.now().minus(longest));
  }
}
