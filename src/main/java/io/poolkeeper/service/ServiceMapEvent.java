package io.poolkeeper.service;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.PoolReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What can happen to the map of Services; the messages of its actor. An empty value means that the
 * object is gone.
 */
public sealed interface ServiceMapEvent {
  record ServicesChanged(Map<ServiceKey, Optional<ServiceView>> changes)
      implements ServiceMapEvent {}

  record SlicesChanged(Map<SliceView.Key, Optional<SliceView>> changes)
      implements ServiceMapEvent {}

  record NodesChanged(Map<NodeKey, Optional<NodeView>> changes) implements ServiceMapEvent {}

  /** Namespaces as they are now; empty for one that was deleted or lost the label. */
  record NamespacesChanged(Map<String, Optional<NamespaceView>> changes)
      implements ServiceMapEvent {}

  /** Objects of a kind may have changed unseen, until the cache is synced again. */
  record WatchLost(CacheKind kind) implements ServiceMapEvent {}

  /** A cache holds all objects of its kind, at the start and after the loss of its watch. */
  record CacheSynced(CacheKind kind) implements ServiceMapEvent {}

  /** The cloud provider says that it has written the pools of a Service. */
  record CloudProviderWrote(ServiceKey service) implements ServiceMapEvent {}

  /** An event says that the cloud provider could not serve a Service for lack of the Lease. */
  record CloudProviderWaits(ServiceKey service, Instant since) implements ServiceMapEvent {}

  /** The binding's level of a pool; empty if there is no binding. */
  record PoolBound(PoolId pool, Optional<BoundPool> bound) implements ServiceMapEvent {}

  record NodesOutOfService(OutOfService set) implements ServiceMapEvent {}

  /** This replica leads: it may write when its knowledge is fresh. */
  record Lead() implements ServiceMapEvent {}

  record ListingGranted() implements ServiceMapEvent {}

  record VerificationGranted() implements ServiceMapEvent {}

  /** The listing in flight ended. */
  record Listed(Listing listing, Instant startedAt) implements ServiceMapEvent {
    /**
     * Whether it counts; one of the standby's does not, in whose place the leader began another.
     */
    boolean counts(Optional<Instant> leadsSince) {
      return leadsSince.filter(startedAt::isBefore).isEmpty();
    }
  }

  /** A GET of the round in flight shows a pool. */
  record PoolShown(PoolView pool, Instant startedAt) implements ServiceMapEvent {}

  /** The round of GETs in flight ended with these pools. */
  record Verified(List<PoolView> pools) implements ServiceMapEvent {}

  /** A GET of the round in flight failed. */
  record VerificationFailed() implements ServiceMapEvent {}

  record PoolReported(PoolId pool, PoolReport report) implements ServiceMapEvent {}

  /** A pool's actor failed; its knowledge is lost. */
  record PoolCrashed(PoolId pool) implements ServiceMapEvent {}

  record TimerDue() implements ServiceMapEvent {}

  /** The process ends: every pool finishes quietly what is in flight; nothing else is decided. */
  record Stop() implements ServiceMapEvent {}
}
