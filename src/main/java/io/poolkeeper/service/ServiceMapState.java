package io.poolkeeper.service;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Assigned;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The state of the map of Services.
 *
 * @param index the last listing; empty before the first
 * @param listedAt when that listing was started
 * @param assigned what every owner of a pool was last sent as desired there
 * @param livePools pools that have an actor, or will have one again
 * @param failingPools pools that may differ from what is desired because an attempt failed
 * @param crashes pools whose actor failed lately
 * @param listingFailure why the last listing failed; empty if it did not
 * @param stopped whether the process ends: nothing is decided any more
 */
public record ServiceMapState(
    Cluster cluster,
    Set<CacheKind> synced,
    Optional<PoolIndex> index,
    Optional<Instant> listedAt,
    Map<ServiceKey, Map<PoolId, Assigned>> assigned,
    Set<PoolId> livePools,
    Set<PoolId> failingPools,
    Map<PoolId, Crash> crashes,
    ListingSchedule schedule,
    Optional<ArmFailure> listingFailure,
    long nextNumber,
    boolean stopped) {

  /**
   * A pool whose actor failed.
   *
   * @param respawnAt when a new actor takes over; empty once it has
   */
  record Crash(int count, Instant at, Optional<Instant> respawnAt) {}

  public static ServiceMapState initial(Instant now, Duration resync) {
    return new ServiceMapState(
        Cluster.EMPTY,
        Set.of(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Set.of(),
        Set.of(),
        Map.of(),
        ListingSchedule.startingAt(now, resync),
        Optional.empty(),
        1,
        false);
  }

  /** Whether enough is known to write at all: hands off before (architecture, rule 9). */
  boolean ready() {
    return index.isPresent() && synced.size() == CacheKind.values().length;
  }

  /** When the timer must fire, if at all. */
  public Optional<Instant> wakeAt() {
    if (stopped) {
      return Optional.empty();
    }
    Optional<Instant> respawn =
        crashes.values().stream().flatMap(c -> c.respawnAt().stream()).min(Instant::compareTo);
    Optional<Instant> listing = schedule.due();
    return respawn.isPresent() && listing.map(l -> respawn.get().isBefore(l)).orElse(true)
        ? respawn
        : listing;
  }

  /** Whether messages to the pool's actor are held back until it is made again. */
  boolean awaitsRespawn(PoolId pool) {
    Crash crash = crashes.get(pool);
    return crash != null && crash.respawnAt().isPresent();
  }
}
