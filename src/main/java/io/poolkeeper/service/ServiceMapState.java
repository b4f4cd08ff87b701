package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Assigned;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The state of the map of Services.
 *
 * @param watches which of them may be relied on
 * @param index the last listing; empty before the first
 * @param assigned what every owner of a pool was last sent as desired there
 * @param stopped whether the process ends: nothing is decided any more
 */
public record ServiceMapState(
    Cluster cluster,
    Set<CacheKind> synced,
    WatchesLost watches,
    Optional<PoolIndex> index,
    ListingSchedule schedule,
    Map<ServiceKey, Map<PoolId, Assigned>> assigned,
    Map<PoolId, LivePool> pools,
    long nextNumber,
    boolean stopped) {
  public ServiceMapState {
    synced = Set.copyOf(synced);
    assigned = Map.copyOf(assigned);
    pools = Map.copyOf(pools);
  }

  /**
   * Nothing is known yet.
   *
   * @param verifyAfter see {@link TimedLooks}
   */
  public static ServiceMapState initial(Instant now, Duration resync, Duration verifyAfter) {
    return new ServiceMapState(
        Cluster.EMPTY,
        Set.of(),
        WatchesLost.NONE,
        Optional.empty(),
        ListingSchedule.startingAt(now, resync, verifyAfter),
        Map.of(),
        Map.of(),
        1,
        false);
  }

  /** When the timer must fire, if at all. */
  public Optional<Instant> wakeAt() {
    Stream<Instant> respawns = pools.values().stream().flatMap(pool -> pool.respawnAt().stream());
    return stopped
        ? Optional.empty()
        : Stream.concat(respawns, schedule.due().stream()).min(Instant::compareTo);
  }
}
