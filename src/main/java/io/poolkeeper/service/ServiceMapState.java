package io.poolkeeper.service;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Assigned;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.MapPSet;

/**
 * The state of the map of Services. Its maps share what does not change.
 *
 * @param bindings what bindings make of pools
 * @param index the last listing; empty before the first
 * @param drains the nodes that are out of service
 * @param fresh the Services that have changed since this leader, as it starts, has known all, and
 *     before a listing has shown it the pools
 * @param assigned what every owner of a pool was last sent as desired there
 * @param keepingUnknown the Services whose level depends on which nodes are known
 * @param missing the Services that want a pool of their own and have none
 * @param leadsSince when this replica began to lead; empty while it is on standby and follows no
 *     pool
 * @param crashed the pools that wait for a new actor
 * @param stopped whether the process ends: nothing is decided any more
 */
public record ServiceMapState(
    Cluster cluster,
    Bindings bindings,
    Caches caches,
    Optional<PoolIndex> index,
    ListingSchedule schedule,
    Drains drains,
    Set<ServiceKey> fresh,
    HashPMap<ServiceKey, HashPMap<PoolId, Assigned>> assigned,
    MapPSet<ServiceKey> keepingUnknown,
    HashPMap<ServiceKey, MissingPool> missing,
    HashPMap<PoolId, LivePool> pools,
    MapPSet<PoolId> crashed,
    Recovery recovery,
    Optional<Instant> leadsSince,
    long nextNumber,
    boolean stopped) {
  public ServiceMapState {
    fresh = Set.copyOf(fresh);
  }

  /**
   * The state in which nothing is known yet.
   *
   * @param leads whether this replica leads without an election
   * @param verifyAfter see {@link ListingSchedule}
   */
  public static ServiceMapState initial(
      boolean leads, Instant now, Duration resync, Duration verifyAfter) {
    ListingSchedule schedule = ListingSchedule.startingAt(now, resync, verifyAfter);
    return new ServiceMapState(
        Cluster.EMPTY,
        Bindings.NONE,
        Caches.NONE,
        Optional.empty(),
        leads ? schedule.lookWanted(now) : schedule,
        Drains.NONE,
        Set.of(),
        HashTreePMap.empty(),
        HashTreePSet.empty(),
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        HashTreePSet.empty(),
        Recovery.NONE,
        leads ? Optional.of(now) : Optional.empty(),
        1,
        false);
  }

  public Optional<Instant> wakeAt() {
    Stream<Instant> respawns =
        crashed.stream()
            .map(pool -> pools.getOrDefault(pool, LivePool.NEW))
            .flatMap(pool -> pool.respawnAt().stream());
    Stream<Instant> others = Stream.of(schedule.due(), recovery.wakeAt()).flatMap(Optional::stream);
    return stopped ? Optional.empty() : Stream.concat(respawns, others).min(Instant::compareTo);
  }
}
