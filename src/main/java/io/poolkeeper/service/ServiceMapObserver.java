package io.poolkeeper.service;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The port through which status and metrics hear of the map of Services. Never blocks or fails. */
public interface ServiceMapObserver {
  void changed(Knowledge knowledge);

  /** The actor runs an effect now. */
  void ran(ServiceMapEffect effect);

  /**
   * A listing has ended.
   *
   * @param failed how many groups it has tried and could not list
   * @param complete whether all groups are listed now
   */
  default void listed(int failed, boolean complete) {}

  /**
   * Whether enough is known to write.
   *
   * @param synced the caches that are complete
   * @param lost the caches that may be old, as their watches are lost
   * @param listed whether load balancers were listed at least once
   * @param leads whether this replica leads; else it is on standby
   * @param starts whether this replica leads, but has made no listing since then
   * @param optedOut the pools that are out of scope
   * @param listingFailure why the last listing shows no resource group; empty if it shows any
   * @param unread the resource groups that could not be listed, folded, each with the reason
   * @param unreadable the load balancers that a listing has shown, but that cannot be read
   * @param missing the Services that want a pool of their own and have none
   */
  record Knowledge(
      Set<CacheKind> synced,
      Set<CacheKind> lost,
      boolean listed,
      boolean leads,
      boolean starts,
      Map<PoolId, OptedOut> optedOut,
      Optional<ArmFailure> listingFailure,
      SortedMap<String, ArmFailure> unread,
      Map<LoadBalancerId, UnknownPools> unreadable,
      Map<ServiceKey, MissingPool> missing) {
    public Knowledge {
      unread = Collections.unmodifiableSortedMap(unread);
      synced = Set.copyOf(synced);
      lost = Set.copyOf(lost);
      unreadable = Map.copyOf(unreadable);
    }

    /** The Services that lack a pool for certain, in order. */
    public SortedMap<ServiceKey, MissingPool> withoutPool(Instant now) {
      SortedMap<ServiceKey, MissingPool> certain = new TreeMap<>(missing);
      boolean complete =
          listingFailure.isEmpty()
              && unread.isEmpty()
              && unreadable.values().stream().noneMatch(UnknownPools::used);
      certain.values().removeIf(pool -> !pool.certain(complete, now));
      return certain;
    }

    /**
     * All that was listed can be read, no Service lacks a pool, and a leader has a listing of its
     * own.
     */
    public Knowledge(
        Set<CacheKind> synced,
        Set<CacheKind> lost,
        boolean listed,
        boolean leads,
        Map<PoolId, OptedOut> optedOut,
        Optional<ArmFailure> listingFailure) {
      this(
          synced,
          lost,
          listed,
          leads,
          false,
          optedOut,
          listingFailure,
          Collections.emptySortedMap(),
          Map.of(),
          Map.of());
    }

    /** The pools that are not touched: out of scope, or of load balancers that cannot be read. */
    public Map<PoolId, OptedOut> untouched() {
      Map<PoolId, OptedOut> untouched = new HashMap<>(optedOut);
      unreadable.forEach(
          (id, pools) -> {
            String why = "the load balancer %s cannot be read: %s".formatted(id, pools.why());
            pools.kept().forEach(pool -> untouched.put(pool, new OptedOut(List.of(), why)));
          });
      return untouched;
    }
  }
}
