package io.poolkeeper.service;

import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * The state of the map of Services. Its maps share what does not change.
 *
 * @param bindings what bindings make of pools
 * @param index the last listing; empty before the first
 * @param drains the nodes that are out of service
 * @param fresh the Services that have changed while this leader starts: after all caches were
 *     complete, and before its first listing
 * @param sent what pools were last sent as desired
 * @param missing the Services that want a pool of their own and have none
 * @param leadsSince when this replica began to lead; empty while it is on standby and follows no
 *     pool
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
    Ownerships.Sent sent,
    HashPMap<ServiceKey, MissingPool> missing,
    LivePools.Followed pools,
    Optional<Instant> leadsSince,
    boolean stopped) {
  public ServiceMapState {
    fresh = Set.copyOf(fresh);
  }

  /**
   * The state in which nothing is known yet.
   *
   * @param leads whether this replica leads without an election
   * @param verifyAfter see {@link ServiceMapCore}
   */
  public static ServiceMapState initial(boolean leads, Instant now, Duration verifyAfter) {
    ListingSchedule schedule = ListingSchedule.startingAt(now);
    return new ServiceMapState(
        Cluster.EMPTY,
        Bindings.NONE,
        Caches.NONE,
        Optional.empty(),
        leads ? schedule.verify(verifyAfter, now) : schedule,
        Drains.NONE,
        Set.of(),
        Ownerships.Sent.NOTHING,
        HashTreePMap.empty(),
        LivePools.Followed.NONE,
        leads ? Optional.of(now) : Optional.empty(),
        false);
  }

  public Optional<Instant> wakeAt() {
    return stopped
        ? Optional.empty()
        : Stream.concat(pools.wakeAt(), schedule.due().stream()).min(Instant::compareTo);
  }
}
